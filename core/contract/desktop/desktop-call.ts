import type { Static, TObject, TSchema } from 'typebox';

/** One thing that the window can ask of the desktop app around the engine; a browser has nobody to ask. */
export interface DesktopCall<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly input: Input;
  readonly output: Output;
}

/** Keeps the literal types of a definition. */
export const defineDesktopCall = <Input extends TObject, Output extends TSchema>(
  call: DesktopCall<Input, Output>,
): DesktopCall<Input, Output> => call;

export type CallInput<Call> = Call extends { readonly input: infer Input extends TSchema }
  ? Static<Input>
  : never;
export type CallOutput<Call> = Call extends { readonly output: infer Output extends TSchema }
  ? Static<Output>
  : never;
