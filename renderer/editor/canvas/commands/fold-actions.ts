import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { listGroups } from '../model/parallel-groups.ts';
import { refuseFold, type Fold } from '../sub-workflow/resolve-folds.ts';
import type { ReadPorts } from './canvas-ports.ts';
import type { ViewActions } from './view-actions.ts';

/** What can be folded: a step that runs a workflow, or the steps beside which one runs. */
export type Foldable =
  | { readonly kind: 'workflow'; readonly fold: Fold }
  | { readonly kind: 'group'; readonly key: string; readonly isFolded: boolean };

/** Folding parts of the graph and opening them; what is open is kept with the places. */
export interface FoldActions {
  /** Draws a parallel group as one card, or as its steps again. */
  foldGroup(key: string, isFolded: boolean): void;
  /** Draws the workflow that a step runs in its place, or folds it again; says why it cannot. */
  toggle(fold: Fold): void;
  /** What there is to fold at a step. */
  find(ref: NodeRef): Foldable | undefined;
  /** Folds or opens what there is at some steps, or says that there is nothing. */
  toggleAt(refs: readonly NodeRef[]): void;
}

export function createFoldActions(read: ReadPorts, { reveal }: ViewActions): FoldActions {
  const actions: FoldActions = {
    foldGroup(key, isFolded) {
      const { store, places } = read();
      store.setState(({ folded }) => ({ folded: change(folded, key, isFolded) }));
      places.keep();
    },
    toggle(fold) {
      const refusal = refuseFold(fold);
      if (refusal !== undefined) {
        showToast('info', refusal);
        return;
      }
      const { store, places } = read();
      const isOpen = fold.state === 'open';
      store.setState(({ open }) => ({ open: change(open, fold.path, !isOpen) }));
      places.keep();
      const [outermost = ''] = fold.path.split('/');
      // When it has its size.
      if (!isOpen) requestAnimationFrame(() => reveal(nodeId('step', outermost)));
    },
    find(ref) {
      const { folds, graph, store } = read();
      const id = nodeId(ref.section, ref.name);
      const fold = folds.get(id);
      if (fold) return { kind: 'workflow', fold };
      const group = listGroups(graph).find(({ members }) => members.some((member) => member.id === id));
      return group && { kind: 'group', key: group.key, isFolded: store.getState().folded.has(group.key) };
    },
    toggleAt(refs) {
      const found = refs.map(actions.find).filter((one) => one !== undefined);
      if (found.length === 0)
        showToast('info', 'Nothing to collapse. Select a sub-workflow step or a step in a parallel group.');
      const groups = new Set<string>();
      for (const one of found)
        if (one.kind === 'workflow') actions.toggle(one.fold);
        else if (!groups.has(one.key)) {
          groups.add(one.key);
          actions.foldGroup(one.key, !one.isFolded);
        }
    },
  };
  return actions;
}

function change(set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(key);
  else next.delete(key);
  return next;
}
