// A file of its own: the contract between the engine and the threads of jq.

/** A job for jq. The texts of the step are passed as files, because arguments have a size limit. */
export interface JqJob {
  readonly query: string;
  /** Name of the input in jq's messages and `input_filename`. */
  readonly inputName: string;
  /** UTF-8. */
  readonly input: Uint8Array;
  /** Variables with string values. */
  readonly texts: Readonly<Record<string, string>>;
  /** Variables with JSON values. */
  readonly values: Readonly<Record<string, string>>;
  /** Content of `env` and `$ENV`. */
  readonly env: Readonly<Record<string, string>>;
  readonly raw: boolean;
  readonly compact: boolean;
  readonly nullInput: boolean;
  readonly slurp: boolean;
  /** Memory limit. */
  readonly memoryBytes: number;
}

/** Result of jq. */
export interface JqResult {
  /** jq's exit code: 2 for bad input or usage, 3 for a query that does not compile, 5 for a runtime error. */
  readonly exitCode?: number;
  /** Reason why it ended without an exit code. */
  readonly fault?: string;
}

/** Messages from the thread while a job runs and when it ends. */
export type JqMessage =
  | { readonly kind: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'end'; readonly end: JqResult };

/** Receives the output of jq, in whole lines or parts of lines. */
export interface JqOutputSink {
  stdout(text: string): void;
  stderr(text: string): void;
}
