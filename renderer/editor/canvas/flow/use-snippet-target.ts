import { useMemo } from 'react';
import { useReactFlow } from 'reactflow';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import { cardSize } from '../../../graph/layout/layout-input.ts';
import type { SnippetTarget } from '../../palette/drag-snippet.ts';
import type { CanvasActions } from '../commands/canvas-actions.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { useCanvasStore } from '../state/canvas-store.ts';

/**
 * Accepts snippets dropped on the canvas: on a line, the step is inserted between its ends; elsewhere it has no
 * connections.
 */
export function useSnippetTarget(graph: CanvasGraph, actions: CanvasActions): SnippetTarget {
  const store = useCanvasStore();
  const { screenToFlowPosition } = useReactFlow();
  return useMemo(() => {
    const endsOf = (wanted: string | undefined) => {
      const line = wanted === undefined ? undefined : graph.edges.find(({ id }) => id === wanted);
      const [source, target] = [graph.byId.get(line?.source ?? ''), graph.byId.get(line?.target ?? '')];
      return source && target ? { source, target } : undefined;
    };
    return {
      over(at) {
        const hotEdge = findLine(at);
        if (store.getState().hotEdge !== hotEdge) store.setState({ hotEdge });
        const ends = endsOf(hotEdge);
        return ends && `between ${ends.source.name} and ${ends.target.name}`;
      },
      leave: () => store.setState({ hotEdge: undefined }),
      drop(snippet, at) {
        if (!isOnCanvas(at)) return;
        const ends = endsOf(findLine(at));
        if (ends) return actions.add(snippet, { edge: { source: ends.source.ref, target: ends.target.ref } });
        const { x, y } = screenToFlowPosition(at);
        actions.add(snippet, { place: { x: x - cardSize.width / 2, y: y - cardSize.height / 2 } });
      },
    };
  }, [graph, actions, store, screenToFlowPosition]);
}

const isOnCanvas = ({ x, y }: Point): boolean =>
  document.elementFromPoint(x, y)?.closest('[data-canvas]') !== null;

/** Returns the line at a point of the window. */
export function findLine({ x, y }: Point): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const line = element.closest<SVGElement>('.react-flow__edge');
    if (line) return line.dataset['id'];
  }
  return undefined;
}
