/**
 * PostgreSQL accepts no NUL in strings, and a NUL in a run's output must not fail the run. So a NUL is stored as a
 * character of the private use area and a `0`, and that character itself with an `e`; both are restored on reading.
 * Equal strings stay equal, and no other string changes.
 */
const mark = '\uE000';
const escapable = /[\0\uE000]/g;
const stored = /\uE000([0e])/g;

/** Encodes a string for PostgreSQL. */
export const escapeNul = (text: string): string =>
  text.includes('\0') || text.includes(mark)
    ? text.replace(escapable, (character) => mark + (character === '\0' ? '0' : 'e'))
    : text;

/** Decodes it again. */
export const unescapeNul = (text: string): string =>
  text.includes(mark) ? text.replace(stored, (_, kind) => (kind === '0' ? '\0' : mark)) : text;
