import { useMemo, useState } from 'react';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { Routes } from '../places/use-places.ts';
import { reuseLines, toLines, type Line } from './flow-elements.ts';

/** React Flow's edges; the same list as long as none of them changes, since each new one is indexed anew. */
export function useLines(graph: CanvasGraph, routes: Routes, folded: ReadonlySet<string>): Line[] {
  const built = useMemo(() => toLines(graph, routes, folded), [graph, routes, folded]);
  const [kept, setKept] = useState({ from: built, lines: built });
  if (kept.from === built) return kept.lines;
  const lines = reuseLines(kept.lines, built);
  setKept({ from: built, lines });
  return lines;
}
