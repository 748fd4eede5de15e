/**
 * PostgreSQL keeps no NUL in texts, and a run must not be lost for one in its output. So a NUL goes in as a character
 * of the private use area and a `0`, and that character itself with an `e`; both come out as they were. Equal texts
 * stay equal, and no other text changes.
 */
const mark = '\uE000';
const written = /[\0\uE000]/g;
const stored = /\uE000([0e])/g;

/** A text as PostgreSQL takes it. */
export const hideNul = (text: string): string =>
  text.includes('\0') || text.includes(mark)
    ? text.replace(written, (character) => mark + (character === '\0' ? '0' : 'e'))
    : text;

/** The same text as it was. */
export const showNul = (text: string): string =>
  text.includes(mark) ? text.replace(stored, (_, kind) => (kind === '0' ? '\0' : mark)) : text;
