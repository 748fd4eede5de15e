import { useEffect, useState } from 'react';

/** A part of a line. */
export interface LineSegment {
  readonly text: string;
  readonly isHit: boolean;
}

/** Finds the matches of a query in a line. */
export type MatchFinder = (line: string) => Iterable<readonly [start: number, end: number]>;

const noHits: MatchFinder = () => [];

/** Splits a line at the matches of a query. */
export function splitAtMatches(line: string, find: MatchFinder): LineSegment[] {
  const pieces: LineSegment[] = [];
  let last = 0;
  for (const [start, end] of find(line)) {
    if (end === start) continue;
    if (start > last) pieces.push({ text: line.slice(last, start), isHit: false });
    pieces.push({ text: line.slice(start, end), isHit: true });
    last = end;
  }
  if (last < line.length) pieces.push({ text: line.slice(last), isHit: false });
  return pieces;
}

/**
 * Returns a matcher with the engine's rules; it finds nothing for an invalid pattern. The regular expression
 * engine is loaded on demand.
 */
export async function createMatchFinder(query: string, isPattern: boolean): Promise<MatchFinder> {
  if (!isPattern) {
    const text = new RegExp(query.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'giu');
    return (line) =>
      Array.from(line.matchAll(text), ({ 0: hit, index }) => [index, index + hit.length] as const);
  }
  const { compilePattern } = await import('../../../core/base/text/pattern.ts');
  try {
    const pattern = compilePattern(query, { ignoreCase: true });
    return (line) => pattern.matchAll(line);
  } catch {
    return noHits;
  }
}

/** Returns {@link createMatchFinder}'s matcher, or one that finds nothing while it loads. */
export function useHitFinder(query: string, isPattern: boolean): MatchFinder {
  const [find, setFind] = useState<MatchFinder>(() => noHits);
  useEffect(() => {
    let isCurrent = true;
    void createMatchFinder(query, isPattern).then((opened) => {
      if (isCurrent) setFind(() => opened);
    });
    return () => {
      isCurrent = false;
    };
  }, [query, isPattern]);
  return find;
}
