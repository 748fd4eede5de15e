/** A part of a template, as written in a workflow (docs/expansion.md). */
export type Segment =
  /** Literal text, without its escapes. */
  | { readonly kind: 'literal'; readonly text: string }
  /** `$NAME` or `${NAME…}`; with a path also `$NAME.path` or `${NAME.path…}`. */
  | Reference
  /** A command in backticks, as the shell receives it. */
  | { readonly kind: 'command'; readonly command: string; readonly source: string }
  /** A shell operator that is not supported; left as written, with a warning. */
  | { readonly kind: 'unsupported'; readonly source: string };

/** A reference to a variable, a value in a JSON variable, or a property of a step. */
export interface Reference {
  readonly kind: 'reference';
  /** Name of the variable or id of the step. */
  readonly name: string;
  /** Keys and indexes in order; empty for the variable itself. */
  readonly path: readonly PathElement[];
  /** Without braces, the part of a path that does not exist is literal text after the variable. */
  readonly braced: boolean;
  readonly modifier?: Modifier;
  /** The reference as written. */
  readonly source: string;
}

/** One step of a path into a JSON value. */
export interface PathElement {
  /** A number is an array index, from the end if negative. */
  readonly key: string | number;
  /** The element as written, with its dot or brackets. */
  readonly source: string;
}

/** Text after the name in braces. */
export type Modifier =
  /** `:-`, `:=`: the segments if there is no value or an empty one. */
  | { readonly kind: 'default'; readonly segments: readonly Segment[] }
  /** `:+`: the segments if there is a value. */
  | { readonly kind: 'alternative'; readonly segments: readonly Segment[] }
  /**
   * `:offset:length`, in code points. A negative offset counts from the end; a negative length is an end position from
   * the end.
   */
  | { readonly kind: 'slice'; readonly offset: number; readonly length?: number };
