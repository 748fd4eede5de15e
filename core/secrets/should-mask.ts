/** Minimum number of non-blank characters; shorter values reveal nothing and would match everywhere. */
const minCharacters = 4;

/**
 * Whether to mask a value that is not declared as a secret itself, for example from a file of secrets. Excludes values
 * that are too short, and `true` and `false`, which would make all text unreadable.
 */
export const shouldMask = (value: string): boolean =>
  value.replaceAll(/\s/g, '').length >= minCharacters && !/^\s*(true|false)\s*$/i.test(value);
