import { AppError, messageOf } from '../../base/errors.ts';

/** What to look for. */
export interface SearchQuery {
  readonly query: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Where a match begins and ends. */
export type Columns = [from: number, to: number];

/** Matches told of for one line. */
const mostColumns = 32;
/** Of a line that a pattern is tried on: what a pattern costs may grow with the square of it, or worse. */
export const mostPatternUnits = 10_000;

/** Finds the matches in the text of one line. */
export interface LineMatcher {
  find(text: string): Columns[];
  /** Where the next match in a text of many lines begins, -1 for none; absent where only each line by itself tells. */
  readonly findNext?: (text: string, from: number) => number;
}

/** Throws `bad_request` for a regular expression that is none. */
export function compileQuery({ query, regex, matchCase }: SearchQuery): LineMatcher {
  if (!regex && matchCase)
    return { find: (text) => findText(text, query), findNext: (text, from) => text.indexOf(query, from) };
  if (regex) {
    const pattern = compile(query, matchCase ? 'g' : 'gi');
    return { find: (text) => findPattern(text.slice(0, mostPatternUnits), pattern) };
  }
  const pattern = new RegExp(RegExp.escape(query), 'giu');
  return {
    find: (text) => findPattern(text, pattern),
    findNext: (text, from) => {
      pattern.lastIndex = from;
      return pattern.exec(text)?.index ?? -1;
    },
  };
}

function compile(query: string, flags: string): RegExp {
  try {
    return new RegExp(query, flags);
  } catch (thrown) {
    const reason = messageOf(thrown).replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, '');
    throw new AppError('bad_request', `query: it is no regular expression: ${reason}`, {
      details: { field: 'query' },
      cause: thrown,
    });
  }
}

function findText(text: string, query: string): Columns[] {
  const found: Columns[] = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    found.push([at, at + query.length]);
    if (found.length === mostColumns) break;
  }
  return found;
}

/** Matches of nothing at all do not count. */
function findPattern(text: string, pattern: RegExp): Columns[] {
  const found: Columns[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [{ length }] = match;
    if (length === 0) pattern.lastIndex += 1;
    else found.push([match.index, match.index + length]);
    if (found.length === mostColumns) break;
  }
  return found;
}
