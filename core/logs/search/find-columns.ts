import { AppError, messageOf } from '../../base/errors.ts';
import { compilePattern, type Pattern } from '../../base/text/pattern.ts';

/** A search query. */
export interface SearchQuery {
  readonly query: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Start and end of a match. */
export type Columns = [from: number, to: number];

/** Most matches to report per line. */
const maxColumns = 32;
/** Characters of a line that are searched for a pattern. */
export const maxPatternUnits = 10_000;

/** Finds the matches in one line. */
export interface LineMatcher {
  find(text: string): Columns[];
  /**
   * Returns the start of the next match in a text of many lines, -1 for none; absent when lines must be matched one by
   * one.
   */
  readonly findNext?: (text: string, from: number) => number;
}

/**
 * Compiles a query.
 * @throws `bad_request` for an invalid regular expression
 */
export function compileQuery({ query, regex, matchCase }: SearchQuery): LineMatcher {
  if (!regex && matchCase)
    return { find: (text) => findText(text, query), findNext: (text, from) => text.indexOf(query, from) };
  if (regex) {
    const pattern = compile(query, !matchCase);
    return { find: (text) => findPattern(pattern, text.slice(0, maxPatternUnits)) };
  }
  const pattern = new RegExp(RegExp.escape(query), 'giu');
  return {
    find: (text) => findMatches(text, pattern),
    findNext: (text, from) => {
      pattern.lastIndex = from;
      return pattern.exec(text)?.index ?? -1;
    },
  };
}

function compile(query: string, ignoreCase: boolean): Pattern {
  try {
    return compilePattern(query, { ignoreCase });
  } catch (error) {
    throw new AppError('bad_request', `query: ${messageOf(error)}`, {
      details: { field: 'query' },
      cause: error,
    });
  }
}

function findText(text: string, query: string): Columns[] {
  const matches: Columns[] = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    matches.push([at, at + query.length]);
    if (matches.length === maxColumns) break;
  }
  return matches;
}

/** Ignores empty matches. */
function findPattern(pattern: Pattern, text: string): Columns[] {
  const matches: Columns[] = [];
  for (const [start, end] of pattern.matchAll(text)) {
    if (end > start) matches.push([start, end]);
    if (matches.length === maxColumns) break;
  }
  return matches;
}

function findMatches(text: string, pattern: RegExp): Columns[] {
  const matches: Columns[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    matches.push([match.index, match.index + match[0].length]);
    if (matches.length === maxColumns) break;
  }
  return matches;
}
