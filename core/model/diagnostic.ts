import Type, { type Static } from 'typebox';

/** One thing wrong (or deprecated) in a workflow file, at a place a person can go to. */
export const Diagnostic = Type.Object({
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  /** What is wrong and what to do about it, in one or two sentences. */
  message: Type.String(),
  /** The file, as the caller named it; empty for a spec that came without one. */
  file: Type.String(),
  /** 1-based; 0 of what is in no file, such as a variable. */
  line: Type.Integer(),
  /** 1-based, in UTF-16 code units. */
  column: Type.Integer(),
  /** Field path such as `steps[2].retryPolicy.limit`; empty for the whole document. */
  path: Type.String(),
});
export type Diagnostic = Static<typeof Diagnostic>;
