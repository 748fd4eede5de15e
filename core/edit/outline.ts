/** Keys and indices from the top of a document, as its author spelled them. */
export type AuthoredPath = readonly (string | number)[];

/** Where a value stands: which document of the file, and the way to it. */
export interface NodeAddress {
  /** 0-based; the first document with content is the main workflow. */
  readonly document: number;
  readonly path: AuthoredPath;
}

/** A stretch of text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** What a step says beside its action; amounts that only a run knows are texts. */
export interface StepFacts {
  /** How many. */
  readonly conditions?: number;
  readonly retry?: { readonly limit?: number | string; readonly intervalSec?: number | string };
  readonly repeat?: {
    readonly mode?: 'while' | 'until';
    readonly limit?: number | string;
    readonly intervalSec?: number | string;
  };
  /** `items` when they are listed. */
  readonly parallel?: { readonly items?: number; readonly atOnce?: number | string };
  readonly timeoutSec?: number | string;
  readonly output?: string;
  /** What follows goes on though it did not succeed. */
  readonly goesOn?: true;
}

/** A step or handler as it stands in the text. It is known as soon as the YAML is one, whatever else is wrong. */
export interface OutlineStep extends TextRange {
  readonly section: 'step' | 'handler';
  /** As the engine would name it, so `cmd_2` for a step without a name; of a handler its kind. */
  readonly name: string;
  /** Of a further workflow of the file: the index of its document. */
  readonly document?: number;
  /** Whether the text says the name. */
  readonly isNamed: boolean;
  readonly id?: string;
  readonly path: AuthoredPath;
  /** Where the name is written. */
  readonly nameRange?: TextRange;
  /** Steps it waits for, by name: those written, or implied in a chain. */
  readonly depends: readonly string[];
  /** Of a nested list of a chain, whose steps run at the same time: the index of that list among the steps. */
  readonly group?: number;
  /** What it does on one line, as far as it can be told. */
  readonly detail: string;
  /** `command`, `script`, `dag`, or the `type` as written. */
  readonly kind: string;
  readonly facts?: StepFacts;
}

/** One workflow of the file. */
export interface OutlineDocument extends TextRange {
  readonly index: number;
  /** As written; absent when the file name gives it. */
  readonly name?: string;
  readonly type: 'chain' | 'graph';
  /** How the steps are written: a list, or a map by name. */
  readonly stepsForm: 'list' | 'map' | 'none';
  readonly steps: readonly OutlineStep[];
  readonly handlers: readonly OutlineStep[];
}

/** What stands where in a workflow file. */
export interface Outline {
  /** Empty when the text is no YAML. */
  readonly documents: readonly OutlineDocument[];
}
