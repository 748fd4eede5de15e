import { createContext, useContext } from 'react';
import type { CanvasNode } from '../model/canvas-graph.ts';

/** Navigation into sub-workflows. */
export interface Drilling {
  /**
   * Returns an action that shows the workflow that a step runs, in the same file or another one; undefined for
   * other steps.
   */
  findWay(node: CanvasNode): (() => void) | undefined;
}

const DrillingContext = createContext<Drilling>({ findWay: () => undefined });
export const DrillingProvider = DrillingContext.Provider;

export const useDrilling = (): Drilling => useContext(DrillingContext);
