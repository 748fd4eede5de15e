/** Fewer non-blank characters than this tell nothing, and would be found everywhere. */
const leastCharacters = 4;

/**
 * Whether a value that nobody has called a secret by itself, such as one of a whole file of them, is to be hidden:
 * not what is too short to be one, and not `true` and `false`, which would make every text unreadable.
 */
export const isWorthHiding = (value: string): boolean =>
  value.replaceAll(/\s/g, '').length >= leastCharacters && !/^\s*(true|false)\s*$/i.test(value);
