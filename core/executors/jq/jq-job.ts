/** What jq is to do. All texts of the step are files to jq, so that none of them is limited as arguments are. */
export interface JqJob {
  readonly query: string;
  /** What jq calls the input in its messages and in `input_filename`. */
  readonly inputName: string;
  /** UTF-8. */
  readonly input: Uint8Array;
  /** Variables that hold a text. */
  readonly texts: Readonly<Record<string, string>>;
  /** Variables that hold the value of a JSON text. */
  readonly values: Readonly<Record<string, string>>;
  /** What `env` and `$ENV` give. */
  readonly env: Readonly<Record<string, string>>;
  readonly raw: boolean;
  readonly compact: boolean;
  readonly nullInput: boolean;
  readonly slurp: boolean;
  /** What jq may use. */
  readonly memoryBytes: number;
}

/** How jq ended. */
export interface JqEnd {
  /** jq's own: 2 for bad input or usage, 3 for a query that does not compile, 5 for an error while it runs. */
  readonly exitCode?: number;
  /** What made it end without an exit code, in words. */
  readonly fault?: string;
}

/** What the thread tells while and after it works. */
export type JqMessage =
  | { readonly kind: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'end'; readonly end: JqEnd };

/** Where what jq prints goes; whole lines or parts of them. */
export interface JqSink {
  stdout(text: string): void;
  stderr(text: string): void;
}
