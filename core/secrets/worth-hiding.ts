/** Minimum number of non-blank characters; shorter values reveal nothing and would match everywhere. */
const leastCharacters = 4;

/**
 * Whether to mask a value that is not declared as a secret itself, for example from a file of secrets. Excludes values
 * that are too short, and `true` and `false`, which would make all text unreadable.
 */
export const isWorthHiding = (value: string): boolean =>
  value.replaceAll(/\s/g, '').length >= leastCharacters && !/^\s*(true|false)\s*$/i.test(value);
