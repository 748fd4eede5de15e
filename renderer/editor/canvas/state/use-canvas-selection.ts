import { useCallback, useLayoutEffect, useMemo } from 'react';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import { useCanvasStore } from './canvas-store.ts';

export interface CanvasSelection {
  readonly refs: readonly NodeRef[];
  readonly ids: ReadonlySet<string>;
  readonly select: (refs: readonly NodeRef[]) => void;
}

/** The selected nodes of the drawn workflow, from the session's selection that all views share. */
export function useCanvasSelection(graph: CanvasGraph): CanvasSelection {
  const session = useEditorSession();
  const store = useCanvasStore();
  const refs = useSessionView((view) => view.selection);
  const ids = useMemo(() => new Set(refs.map(({ section, name }) => nodeId(section, name))), [refs]);
  const select = useCallback((wanted: readonly NodeRef[]) => session.select(wanted, 'canvas'), [session]);
  const first = graph.steps[0]?.id ?? graph.handlers[0]?.id;
  useLayoutEffect(() => {
    const { current } = store.getState();
    const last = refs.at(-1);
    const chosen = last && nodeId(last.section, last.name);
    const isThere = current !== undefined && graph.byId.has(current);
    store.setState({
      selected: ids,
      current:
        chosen !== undefined && graph.byId.has(chosen) && !ids.has(current ?? '')
          ? chosen
          : isThere
            ? current
            : first,
    });
  }, [store, ids, refs, graph, first]);
  return { refs, ids, select };
}
