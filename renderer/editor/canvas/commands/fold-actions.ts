import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { listGroups } from '../model/parallel-groups.ts';
import { foldBlocker, type Fold } from '../sub-workflow/resolve-folds.ts';
import type { GetCanvasPorts } from './canvas-ports.ts';
import type { ViewActions } from './view-actions.ts';

/** A part of the graph that can be folded: a step that runs a sub-workflow, or a parallel group. */
export type FoldTarget =
  | { readonly kind: 'workflow'; readonly fold: Fold }
  | { readonly kind: 'group'; readonly key: string; readonly isFolded: boolean };

/** Actions that fold and expand parts of the graph. The expanded parts are saved with the card positions. */
export interface FoldActions {
  /** Draws a parallel group as one card, or as its steps. */
  foldGroup(key: string, isFolded: boolean): void;
  /** Expands or folds the sub-workflow of a step; shows the reason when that is not possible. */
  toggle(fold: Fold): void;
  /** Returns what can be folded at a step. */
  find(ref: NodeRef): FoldTarget | undefined;
  /** Folds or expands everything foldable at the specified steps; shows a notice when there is nothing. */
  toggleAt(refs: readonly NodeRef[]): void;
}

export function createFoldActions(read: GetCanvasPorts, { reveal }: ViewActions): FoldActions {
  const actions: FoldActions = {
    foldGroup(key, isFolded) {
      const { store, positions } = read();
      store.setState(({ folded }) => ({ folded: change(folded, key, isFolded) }));
      positions.keep();
    },
    toggle(fold) {
      const error = foldBlocker(fold);
      if (error !== undefined) {
        showToast('info', error);
        return;
      }
      const { store, positions } = read();
      const isOpen = fold.state === 'open';
      store.setState(({ open }) => ({ open: change(open, fold.path, !isOpen) }));
      positions.keep();
      const [outermost = ''] = fold.path.split('/');
      // After the card has its new size.
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
