import type { Static, TObject, TSchema } from 'typebox';

/** A call from the window to the desktop app. Not available in a browser. */
export interface DesktopCall<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly input: Input;
  readonly output: Output;
}

/** Preserves the literal types of a definition. */
export const defineDesktopCall = <Input extends TObject, Output extends TSchema>(
  call: DesktopCall<Input, Output>,
): DesktopCall<Input, Output> => call;

export type CallInput<Call> = Call extends { readonly input: infer Input extends TSchema }
  ? Static<Input>
  : never;
export type CallOutput<Call> = Call extends { readonly output: infer Output extends TSchema }
  ? Static<Output>
  : never;
