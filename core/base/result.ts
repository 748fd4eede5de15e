/** Success with a value, or an expected failure with its reason. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** Returns a success. */
export const succeed = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** Returns an expected failure. */
export const fail = <Failure>(error: Failure): { ok: false; error: Failure } => ({ ok: false, error });
