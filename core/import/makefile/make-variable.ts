/** A variable of a makefile. */
export interface MakeVariable {
  readonly value: string;
  /** Set with `?=`: the caller of make may override it. */
  readonly isDefault: boolean;
}
