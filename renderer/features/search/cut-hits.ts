import { useEffect, useState } from 'react';

/** A part of a line. */
export interface LinePiece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Where a query occurs in a line. */
export type FindHits = (line: string) => Iterable<readonly [start: number, end: number]>;

const noHits: FindHits = () => [];

/** A line cut where a query occurs in it. */
export function cutHits(line: string, find: FindHits): LinePiece[] {
  const pieces: LinePiece[] = [];
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

/** What finds a query as the engine does; for an invalid pattern nothing. Regular expressions are loaded when needed. */
export async function openHitFinder(query: string, isPattern: boolean): Promise<FindHits> {
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

/** {@link openHitFinder}; finds nothing until it is open. */
export function useHitFinder(query: string, isPattern: boolean): FindHits {
  const [find, setFind] = useState<FindHits>(() => noHits);
  useEffect(() => {
    let isCurrent = true;
    void openHitFinder(query, isPattern).then((opened) => {
      if (isCurrent) setFind(() => opened);
    });
    return () => {
      isCurrent = false;
    };
  }, [query, isPattern]);
  return find;
}
