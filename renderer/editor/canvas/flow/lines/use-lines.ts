import { useState } from 'react';
import type { CanvasGraph } from '../../model/canvas-graph.ts';
import type { Routes } from '../../places/use-places.ts';
import { reuseLines, toLines, type Line } from '../flow-elements.ts';

interface Drawn {
  readonly graph: CanvasGraph;
  readonly routes: Routes;
  readonly folded: ReadonlySet<string>;
}

/**
 * Returns the React Flow edges. The list is reused while no edge changes, because React Flow re-indexes a new
 * list.
 */
export function useLines(graph: CanvasGraph, routes: Routes, folded: ReadonlySet<string>): Line[] {
  const now: Drawn = { graph, routes, folded };
  const [lineState, setLineState] = useState(() => ({ ...now, lines: toLines(graph, routes, folded) }));
  if (isDrawnEqual(lineState, now)) return lineState.lines;
  const lines = reuseLines(lineState.lines, toLines(graph, routes, folded));
  setLineState({ ...now, lines });
  return lines;
}

/** Folding depends on the steps, everything else on the edges; typing leaves the edges unchanged. */
const isDrawnEqual = (before: Drawn, now: Drawn): boolean =>
  before.routes === now.routes &&
  before.folded === now.folded &&
  (now.folded.size === 0 ? before.graph.edges === now.graph.edges : before.graph === now.graph);
