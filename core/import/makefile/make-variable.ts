/** A variable of a makefile. */
export interface MakeVariable {
  readonly value: string;
  /** Set by `?=`: whoever calls make may give another one. */
  readonly isDefault: boolean;
}
