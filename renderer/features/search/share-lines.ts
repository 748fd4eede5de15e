import type { SearchMatchView } from '../../../core/contract/workflows/dag-search.ts';

/** Removes duplicate context lines of matches in one file: lines between two matches belong to the first. */
export function dedupeContextLines(matches: readonly SearchMatchView[]): readonly SearchMatchView[] {
  let shown = 0;
  return matches.map((match, index) => {
    const { startLine, lines } = match;
    const next = matches[index + 1]?.lineNumber ?? Infinity;
    const first = Math.max(startLine, shown + 1);
    shown = Math.min(startLine + lines.length, next) - 1;
    return { ...match, startLine: first, lines: lines.slice(first - startLine, shown + 1 - startLine) };
  });
}
