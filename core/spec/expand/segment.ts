/** A part of a template, as written in a workflow (docs/expansion.md). */
export type Segment =
  /** Text that stays; escapes are already gone from it. */
  | { readonly kind: 'literal'; readonly text: string }
  /** `$NAME` or `${NAME…}`; with a path also `$NAME.path` or `${NAME.path…}`. */
  | Reference
  /** A command in backticks, as the shell is to read it. */
  | { readonly kind: 'command'; readonly command: string; readonly source: string }
  /** A shell operator that is not done here; stays as written, with a warning. */
  | { readonly kind: 'unsupported'; readonly source: string };

/** A variable, a place inside the JSON text that a variable holds, or a property of a step. */
export interface Reference {
  readonly kind: 'reference';
  /** Of the variable, or the id of the step. */
  readonly name: string;
  /** Keys and indexes in order; empty for the variable itself. */
  readonly path: readonly PathElement[];
  /** Without braces, what a path does not lead to is text that follows the variable. */
  readonly braced: boolean;
  readonly modifier?: Modifier;
  /** The reference as written. */
  readonly source: string;
}

/** One step into a JSON value. */
export interface PathElement {
  /** A number steps into an array, from its end when negative. */
  readonly key: string | number;
  /** The element as written, with its dot or brackets. */
  readonly source: string;
}

/** What stands after the name in braces. */
export type Modifier =
  /** `:-`, `:=`: the segments, when there is no value or an empty one. */
  | { readonly kind: 'default'; readonly segments: readonly Segment[] }
  /** `:+`: the segments, when there is a value. */
  | { readonly kind: 'alternative'; readonly segments: readonly Segment[] }
  /** `:offset:length`, in characters; an offset below 0 counts from the end, a length below 0 ends there. */
  | { readonly kind: 'slice'; readonly offset: number; readonly length?: number };
