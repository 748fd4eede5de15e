import type { RefObject } from 'react';
import type { ReactFlowInstance } from 'reactflow';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { EditorCommands } from '../../page/editor-commands.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { CardPositions } from '../places/use-places.ts';
import type { CanvasStore } from '../state/canvas-store.ts';
import type { SubWorkflowFolds } from '../sub-workflow/use-folds.ts';
import type { StepCommands } from './step-commands.ts';

/** Current dependencies of the canvas actions. */
export interface CanvasPorts {
  readonly store: CanvasStore;
  readonly steps: StepCommands;
  readonly graph: CanvasGraph;
  readonly positions: CardPositions;
  /** How steps that run sub-workflows are drawn. */
  readonly folds: SubWorkflowFolds;
  readonly flow: ReactFlowInstance;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly page: EditorCommands;
  readonly selection: readonly NodeRef[];
  readonly select: (refs: readonly NodeRef[]) => void;
}

export type GetCanvasPorts = () => CanvasPorts;

/** Holds the latest ports for actions that are created once. */
export function createPortsRef(first: CanvasPorts) {
  let newest = first;
  return {
    read: (): CanvasPorts => newest,
    take(ports: CanvasPorts): void {
      newest = ports;
    },
  };
}
