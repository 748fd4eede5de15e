/** Source of an effective value. Later kinds in this list take precedence. */
export type ConfigOrigin =
  | { readonly kind: 'default' }
  /** `file` is absolute; line and column are 1-based. */
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'flag'; readonly name: string };

/** A value that was set explicitly. */
export interface ConfigOverride {
  /** Undefined if it is invalid, in which case there is an error. */
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** Explicitly set values by path, such as `scheduler.port`. */
export type ConfigOverrides = Map<string, ConfigOverride>;
