import { compilePattern } from './compile-pattern.ts';
import { LineMatcher } from './line-matcher.ts';

/** Lines shown before and after one that was found. */
const around = 2;
const mostMatches = 20;
/** Longest line that is shown; longer ones are cut. */
const longestShown = 500;
/** What looking through one file may cost, in steps of the matcher; a page of text takes a few thousand. */
const mostWork = 3_000_000;

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
  /** There are more, or may be: the text was not looked through to its end. */
  readonly more: boolean;
}

/** Looks through one text. */
export type LineFinder = (text: string) => FoundLines;

/** What finds a query, whatever its case. Throws `bad_request` for a wrong regular expression. */
export function createFinder(query: string, isRegex: boolean): LineFinder {
  if (isRegex) {
    const matcher = new LineMatcher(compilePattern(query));
    return (text) => {
      matcher.work = 0;
      return findLines(
        text,
        (line) => matcher.matches(line),
        () => matcher.work > mostWork,
      );
    };
  }
  const wanted = query.toLowerCase();
  return (text) =>
    findLines(
      text,
      (line) => line.toLowerCase().includes(wanted),
      () => false,
    );
}

function findLines(text: string, isWanted: (line: string) => boolean, isEnough: () => boolean): FoundLines {
  const lines = text.split(/\r?\n/);
  const matches: FoundLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (isEnough()) return { matches, more: true };
    if (!isWanted(line)) continue;
    if (matches.length === mostMatches) return { matches, more: true };
    const start = Math.max(0, index - around);
    const shown = lines.slice(start, index + around + 1).map(cut);
    matches.push({ lineNumber: index + 1, startLine: start + 1, lines: shown });
  }
  return { matches, more: false };
}

const cut = (line: string): string =>
  line.length <= longestShown ? line : `${line.slice(0, longestShown)}…`;
