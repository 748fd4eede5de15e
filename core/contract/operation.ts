import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../base/error-codes.ts';

/** Who may call an operation once authentication is on; each role includes the ones before it. */
export const roles = ['viewer', 'operator', 'manager', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Whether `held` is `needed` or includes it. */
export const includesRole = (held: Role, needed: Role): boolean =>
  roles.indexOf(held) >= roles.indexOf(needed);

/**
 * One thing a client can ask of the engine. The HTTP routes, OpenAPI, the IPC handlers and the
 * client's types are loops over the table of these. Payloads are JSON only.
 */
export interface Operation<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Of the service that it belongs to, where that is not the engine API: the version in its addresses. */
  readonly version?: 1;
  /** Below `/api/v2`, or `/api/v1` with `version: 1`; `{name}` segments are fields of the input, the rest is query (GET, DELETE) or body. */
  readonly path: string;
  readonly input: Input;
  readonly output: Output;
  /** Refusals a caller should expect; `internal_error` and `bad_request` go without saying. */
  readonly errors: readonly ErrorCode[];
  readonly role: Role;
  /** Callable without credentials, whatever the role. */
  readonly public?: true;
  /** Most bytes of a request body over HTTP; 8 MiB when absent. */
  readonly maxBodyBytes?: number;
  /** Of an answer that tells of something new under an address of its own; 200 when absent. */
  readonly status?: 201;
}

/** Keeps the literal types of a definition. */
export const defineOperation = <Input extends TObject, Output extends TSchema>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => {
  boundIntegers(operation.input);
  return operation;
};

/** A sequence of items that goes on until the client leaves: server-sent events, or pushes over IPC. */
export interface StreamOperation<Input extends TObject = TObject, Item extends TSchema = TSchema> {
  readonly summary: string;
  readonly path: string;
  readonly input: Input;
  readonly item: Item;
  readonly errors: readonly ErrorCode[];
  readonly role: Role;
}

/** Keeps the literal types of a definition. */
export const defineStream = <Input extends TObject, Item extends TSchema>(
  stream: StreamOperation<Input, Item>,
): StreamOperation<Input, Item> => {
  boundIntegers(stream.input);
  return stream;
};

/** Gives every integer of an input the limits that JSON numbers have in JavaScript, where it has none of its own. */
function boundIntegers(schema: object): void {
  const integer: { type?: unknown; minimum?: number; maximum?: number } = schema;
  if (integer.type === 'integer') {
    integer.minimum ??= Number.MIN_SAFE_INTEGER;
    integer.maximum ??= Number.MAX_SAFE_INTEGER;
  }
  for (const part of Object.values(schema)) {
    if (typeof part === 'object' && part !== null) boundIntegers(part);
  }
}

export type InputOf<Op> = Op extends { readonly input: infer Input extends TSchema } ? Static<Input> : never;
export type OutputOf<Op> = Op extends { readonly output: infer Output extends TSchema }
  ? Static<Output>
  : never;
export type ItemOf<Op> = Op extends { readonly item: infer Item extends TSchema } ? Static<Item> : never;
