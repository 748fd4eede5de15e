import type { Statement } from '../../gateway/database/database.ts';

/** What may be read through a cursor: no `INTO`, and nothing that writes in a `WITH`. */
const readerPattern = /^(select|values|table|with)\b/i;
const writerPattern = /\b(insert|update|delete|merge|into)\b/i;

const cursorName = 'stepwright_rows';

/** How a query is sent, and which of the results has its rows. */
export interface LimitedQuery {
  readonly statements: readonly Statement[];
  readonly at: number;
}

/** Without the semicolons and blanks at its end, found from the end: a pattern would begin anew at every blank. */
function trimStatement(text: string): string {
  let end = text.length;
  while (end > 0 && /[;\s]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/**
 * A query of which one row more than wanted is fetched at most, so that a careless one does not fill the memory. What
 * writes is sent as it is.
 */
export function limitRows(query: Statement, maxRows: number): LimitedQuery {
  const text = trimStatement(query.text);
  const bare = text.replace(/^(\s+|--[^\n]*\n|\/\*[^]*?\*\/)+/, '');
  if (!readerPattern.test(bare) || writerPattern.test(bare))
    return { statements: [{ ...query, text }], at: 0 };
  return {
    statements: [
      { text: `DECLARE ${cursorName} NO SCROLL CURSOR FOR ${text}`, values: query.values },
      { text: `FETCH FORWARD ${maxRows + 1} FROM ${cursorName}`, values: [] },
    ],
    at: 1,
  };
}
