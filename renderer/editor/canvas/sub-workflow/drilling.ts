import { createContext, useContext } from 'react';
import type { CanvasNode } from '../model/canvas-graph.ts';

/** The way into the workflows that steps run. */
export interface Drilling {
  /** Shows the workflow that a step runs: one of the same file, or another file; undefined for other steps. */
  findWay(node: CanvasNode): (() => void) | undefined;
}

const DrillingContext = createContext<Drilling>({ findWay: () => undefined });
export const DrillingProvider = DrillingContext.Provider;

export const useDrilling = (): Drilling => useContext(DrillingContext);
