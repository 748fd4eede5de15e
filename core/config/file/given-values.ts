/** Where an effective value comes from. What comes later in this list wins. */
export type ConfigOrigin =
  | { readonly kind: 'default' }
  /** `file` is absolute; line and column are 1-based. */
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'flag'; readonly name: string };

/** A value that somebody gave. */
export interface GivenValue {
  /** Undefined when it could not be read; there is an error then. */
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** Values by path, such as `scheduler.port`; only those that somebody gave. */
export type GivenValues = Map<string, GivenValue>;
