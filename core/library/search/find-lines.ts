import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { compilePattern, type Pattern } from '../../base/text/pattern.ts';
import { matchLines } from '../../threads/patterns/match-lines.ts';

/** Lines shown before and after one that was found. */
const around = 2;
const mostMatches = 20;
/** Longest line that is shown; longer ones are cut. */
const longestShown = 500;

/** A line that was found, with those around it. */
export interface FoundLine {
  /** From 1. */
  readonly lineNumber: number;
  readonly startLine: number;
  readonly lines: string[];
}

/** Lines of one text that were found. */
export interface FoundLines {
  readonly matches: FoundLine[];
  /** There are more. */
  readonly more: boolean;
}

/** Looks through one text. */
export type LineFinder = (text: string) => Promise<FoundLines>;

/**
 * What finds a query, whatever its case. Throws `bad_request` for a wrong regular expression; the finder rejects with it
 * for one that takes too long.
 */
export function createFinder(query: string, isRegex: boolean, clock: Clock): LineFinder {
  if (isRegex) {
    const pattern = compile(query);
    return (text) => findLines(text, (lines, limit) => matchLines(pattern, { lines, limit }, clock));
  }
  const wanted = query.toLowerCase();
  return (text) => findLines(text, (lines, limit) => Promise.resolve(findText(lines, wanted, limit)));
}

function compile(query: string): Pattern {
  try {
    return compilePattern(query, { ignoreCase: true });
  } catch (thrown) {
    throw new AppError('bad_request', `q: ${messageOf(thrown)}`, { details: { field: 'q' }, cause: thrown });
  }
}

function findText(lines: readonly string[], wanted: string, limit: number): number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (found.length === limit) break;
    if (line.toLowerCase().includes(wanted)) found.push(index);
  }
  return found;
}

async function findLines(
  text: string,
  find: (lines: readonly string[], limit: number) => Promise<number[]>,
): Promise<FoundLines> {
  const lines = text.split(/\r?\n/);
  const found = await find(lines, mostMatches + 1);
  const matches = found.slice(0, mostMatches).map((index) => {
    const start = Math.max(0, index - around);
    const shown = lines.slice(start, index + around + 1).map(cut);
    return { lineNumber: index + 1, startLine: start + 1, lines: shown };
  });
  return { matches, more: found.length > mostMatches };
}

const cut = (line: string): string =>
  line.length <= longestShown ? line : `${line.slice(0, longestShown)}…`;
