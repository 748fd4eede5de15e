import type { Statement } from './database.ts';

/** Queries that can be read through a cursor: no `INTO` and no writes in a `WITH`. */
const readerPattern = /^(select|values|table|with)\b/i;
const writerPattern = /\b(insert|update|delete|merge|into)\b/i;

const cursorName = 'stepwright_rows';

/** Precedes the query, so that error positions are shifted by its length. */
export const cursorPrefix = `DECLARE ${cursorName} NO SCROLL CURSOR FOR `;

/** Statements after those of {@link limitRows}: counts up to this number of further rows, and closes the cursor. */
export const countStatements = (maxMore: number): readonly Statement[] => [
  { text: `MOVE FORWARD ${maxMore} FROM ${cursorName}`, values: [] },
  { text: `CLOSE ${cursorName}`, values: [] },
];

/** The statements to send and the index of the result that has the rows. */
export interface LimitedQuery {
  readonly statements: readonly Statement[];
  readonly at: number;
}

/**
 * Removes trailing semicolons and whitespace. Scans from the end, because a regular expression would restart at every
 * space.
 */
function trimStatement(text: string): string {
  let end = text.length;
  while (end > 0 && /[;\s]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/**
 * Limits a query to one row more than requested, so that a large result does not fill the memory. Statements that
 * write are sent unchanged.
 */
export function limitRows(query: Statement, maxRows: number): LimitedQuery {
  const text = trimStatement(query.text);
  const bare = stripLeadingComments(text);
  if (!readerPattern.test(bare) || writerPattern.test(bare))
    return { statements: [{ ...query, text }], at: 0 };
  return {
    statements: [
      { text: `${cursorPrefix}${text}`, values: query.values },
      { text: `FETCH FORWARD ${maxRows + 1} FROM ${cursorName}`, values: [] },
    ],
    at: 1,
  };
}

/** Removes spaces and comments before a statement. */
export const stripLeadingComments = (text: string): string =>
  text.replace(/^(\s+|--[^\n]*\n|\/\*[^]*?\*\/)+/, '');
