import { useEffect, useRef } from 'react';
import { nodeId } from '../../../graph/build-graph.ts';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { CanvasSelection } from '../state/use-canvas-selection.ts';

/** Scrolls a newly selected card into view once it is rendered, and focuses it if the canvas has the focus. */
export function useFollowSelection(
  graph: CanvasGraph,
  { refs }: CanvasSelection,
  box: React.RefObject<HTMLElement | null>,
): void {
  const { reveal, focusCard } = useCanvasActions();
  const followed = useRef<readonly unknown[]>(refs);
  useEffect(() => {
    if (followed.current === refs) return;
    const last = refs.at(-1);
    const id = last && nodeId(last.section, last.name);
    // A new step is rendered only after the text has been analyzed.
    if (id !== undefined && !graph.byId.has(id)) return;
    followed.current = refs;
    if (id === undefined || refs.length > 1) return;
    const active = document.activeElement;
    const isOurs = active === document.body || active === box.current || active?.matches('[data-node-id]');
    if (isOurs === true && box.current?.contains(active) !== false) focusCard(id);
    else reveal(id);
  }, [graph, refs, box, reveal, focusCard]);
}
