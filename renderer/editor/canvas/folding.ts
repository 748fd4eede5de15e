import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { nodeId } from '../../graph/build-graph.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { FoldTarget } from './view-actions.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import { listGroups } from './flow-elements.ts';
import { foldMenuLabel } from './menu-items.ts';
import type { SubWorkflowFolds } from './use-folds.ts';
import { useCanvasState } from './canvas-store.ts';

interface Folding {
  /** Labels of the fold actions, by node id; only for nodes that can be folded. */
  readonly labels: ReadonlyMap<string, string>;
  /** Document index of the workflow on the canvas; undefined for the main one. */
  readonly document: number | undefined;
  readonly toggle: (ref: NodeRef) => void;
}

const nothing: Folding = { labels: new Map(), document: undefined, toggle: () => undefined };

/** Fold actions of the visible canvas, for the other views. */
const port = createStore<Folding>(() => nothing);

interface Publisher {
  readonly graph: CanvasGraph;
  readonly folds: SubWorkflowFolds;
  readonly actions: CanvasActions;
  readonly document: number | undefined;
}

/** Lets other views fold parts of the canvas while it is mounted. */
export function useFoldingRegistration({ graph, folds, actions, document }: Publisher): void {
  const folded = useCanvasState((state) => state.folded);
  useEffect(() => {
    const labels = new Map<string, string>();
    const notify = (id: string, found: FoldTarget): void => {
      const label = foldMenuLabel(found)?.label;
      if (label !== undefined) labels.set(id, label);
    };
    for (const { key, members } of listGroups(graph))
      for (const { id } of members) notify(id, { kind: 'group', key, isFolded: folded.has(key) });
    for (const [id, fold] of folds) notify(id, { kind: 'workflow', fold });
    port.setState({ labels, document, toggle: (ref) => actions.folding.toggleAt([ref]) });
  }, [graph, folds, folded, actions, document]);
  useEffect(() => () => port.setState(nothing), []);
}

/** Returns the label and the action of folding at a step. */
export function useFolding(
  ref: NodeRef,
): { readonly label: string; readonly toggle: () => void } | undefined {
  const label = useStore(port, ({ labels, document }) =>
    document === ref.document ? labels.get(nodeId(ref.section, ref.name)) : undefined,
  );
  return label === undefined ? undefined : { label, toggle: () => port.getState().toggle(ref) };
}
