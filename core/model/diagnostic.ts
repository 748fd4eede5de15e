// A file of its own: the contract of parser, API and UI for problems in files.
import Type, { type Static } from 'typebox';

/** One error (or deprecation) in a workflow file, with its position. */
export const Diagnostic = Type.Object({
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  /** The problem and its solution, in one or two sentences. */
  message: Type.String(),
  /** The file, as the caller named it; empty for a spec that did not come from a file. */
  file: Type.String(),
  /** 1-based; 0 for a problem outside a file, such as in a variable. */
  line: Type.Integer(),
  /** 1-based, in UTF-16 code units. */
  column: Type.Integer(),
  /** Field path such as `steps[2].retryPolicy.limit`; empty for the whole document. */
  path: Type.String(),
});
export type Diagnostic = Static<typeof Diagnostic>;
