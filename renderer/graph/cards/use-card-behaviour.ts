import { useCallback, useMemo, type RefObject } from 'react';
import { useReactFlow } from 'reactflow';
import type { GraphModel } from '../build-graph.ts';
import type { GraphLayout } from '../layout/compute-layout.ts';
import { cardSize } from '../layout/layout-input.ts';
import { findNearestNode } from '../layout/nearest-node.ts';
import type { NodeRef } from '../workflow-graph.tsx';

/** Card behavior: selection, and moving the focus to neighbors. */
export function useCardBehaviour(
  graph: GraphModel,
  layout: GraphLayout,
  box: RefObject<HTMLDivElement | null>,
  onSelect: ((node: NodeRef) => void) | undefined,
) {
  const { setCenter, getZoom } = useReactFlow();
  const select = useCallback(
    (id: string) => {
      const node = [...graph.steps, ...graph.handlers].find((one) => one.id === id);
      if (node) onSelect?.({ section: node.section, name: node.name });
    },
    [graph, onSelect],
  );
  const moveFocus = useCallback(
    (id: string, key: string) => {
      const next = findNearestNode(layout.positions, id, key);
      const position = next === undefined ? undefined : layout.positions.get(next);
      if (next === undefined || !position) return false;
      const focus = (): boolean => {
        const card = box.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(next)}"]`);
        card?.focus({ preventScroll: true });
        return card !== null && card !== undefined && isInside(card, box.current!);
      };
      if (focus()) return true;
      // Outside the viewport, or not rendered: center it first.
      void setCenter(position.x + cardSize.width / 2, position.y + cardSize.height / 2, {
        zoom: getZoom(),
      }).then(() => requestAnimationFrame(focus));
      return true;
    },
    [layout, box, setCenter, getZoom],
  );
  return useMemo(() => ({ onArrow: moveFocus, onSelect: select }), [moveFocus, select]);
}

function isInside(element: HTMLElement, frame: HTMLElement): boolean {
  const inner = element.getBoundingClientRect();
  const outer = frame.getBoundingClientRect();
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}
