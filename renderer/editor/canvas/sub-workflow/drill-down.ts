import { createContext, useContext } from 'react';
import type { CanvasNode } from '../model/canvas-graph.ts';

/** Navigation into sub-workflows. */
export interface DrillDown {
  /**
   * Returns an action that shows the workflow that a step runs, in the same file or another one; undefined for
   * other steps.
   */
  findWay(node: CanvasNode): (() => void) | undefined;
}

const DrillDownContext = createContext<DrillDown>({ findWay: () => undefined });
export const DrillDownProvider = DrillDownContext.Provider;

export const useDrillDown = (): DrillDown => useContext(DrillDownContext);
