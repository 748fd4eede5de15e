import type { Clock } from '../../base/clock.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { compilePattern, type Pattern } from '../../base/pattern.ts';
import { matchLines } from '../../process/threads/match-lines.ts';

/** Number of lines shown before and after a match. */
const contextLines = 2;
const maxMatches = 20;
/** Maximum length of a shown line; longer lines are truncated. */
const maxShownLength = 500;

/** A matching line with its context. */
export interface LineMatch {
  /** 1-based. */
  readonly lineNumber: number;
  readonly startLine: number;
  readonly lines: string[];
}

/** Matching lines of one text. */
export interface LineMatches {
  readonly matches: LineMatch[];
  /** Whether there are more matches. */
  readonly more: boolean;
}

/** Searches one text. */
export type LineFinder = (text: string) => Promise<LineMatches>;

/**
 * Creates a case-insensitive search. The finder rejects with `bad_request` for a regular expression that takes too
 * long.
 * @throws `bad_request` for an invalid regular expression
 */
export function createFinder(query: string, isRegex: boolean, clock: Clock): LineFinder {
  if (isRegex) {
    const pattern = compile(query);
    return (text) => findLines(text, (lines, limit) => matchLines(pattern, { lines, limit }, clock));
  }
  const needle = query.toLowerCase();
  return (text) => findLines(text, (lines, limit) => Promise.resolve(findText(lines, needle, limit)));
}

function compile(query: string): Pattern {
  try {
    return compilePattern(query, { ignoreCase: true });
  } catch (error) {
    throw new AppError('bad_request', `q: ${getErrorMessage(error)}`, {
      details: { field: 'q' },
      cause: error,
    });
  }
}

function findText(lines: readonly string[], needle: string, limit: number): number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (found.length === limit) break;
    if (line.toLowerCase().includes(needle)) found.push(index);
  }
  return found;
}

async function findLines(
  text: string,
  find: (lines: readonly string[], limit: number) => Promise<number[]>,
): Promise<LineMatches> {
  const lines = text.split(/\r?\n/);
  const found = await find(lines, maxMatches + 1);
  const matches = found.slice(0, maxMatches).map((index) => {
    const start = Math.max(0, index - contextLines);
    const excerpt = lines.slice(start, index + contextLines + 1).map(cut);
    return { lineNumber: index + 1, startLine: start + 1, lines: excerpt };
  });
  return { matches, more: found.length > maxMatches };
}

const cut = (line: string): string =>
  line.length <= maxShownLength ? line : `${line.slice(0, maxShownLength)}…`;
