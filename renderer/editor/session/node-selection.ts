import { StateEffect, StateField, type EditorState } from '@codemirror/state';
import { invertedEffects } from '@codemirror/commands';
import type { Analysis } from '../../../core/edit/analysis.ts';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import type { Outline, OutlineStep } from '../../../core/edit/outline.ts';

/** The nodes that are selected, and where in the text each of them was found. */
export interface SelectedNodes {
  readonly nodes: readonly NodeRef[];
  /** Offset at which each node stands; it moves with the text. */
  readonly anchors: readonly number[];
}

const nothing: SelectedNodes = { nodes: [], anchors: [] };

/** Selects nodes. */
export const setSelectedNodes = StateEffect.define<SelectedNodes>({
  map: ({ nodes, anchors }, mapping) => ({ nodes, anchors: anchors.map((at) => mapping.mapPos(at, 1)) }),
});

const field = StateField.define<SelectedNodes>({
  create: () => nothing,
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged && value.anchors.length > 0)
      next = { nodes: value.nodes, anchors: value.anchors.map((at) => transaction.changes.mapPos(at, 1)) };
    for (const effect of transaction.effects) if (effect.is(setSelectedNodes)) next = effect.value;
    return next;
  },
});

/** The selection of nodes as a part of the document's state; an undone edit brings back the one before it. */
export const nodeSelection = [
  field,
  invertedEffects.of((transaction) =>
    transaction.docChanged ? [setSelectedNodes.of(transaction.startState.field(field))] : [],
  ),
];

export const readSelectedNodes = (state: EditorState): SelectedNodes => state.field(field);

export const isSameNode = (left: NodeRef, right: NodeRef): boolean =>
  left.section === right.section && left.name === right.name;

/** All steps and handlers of the main workflow, which is what nodes are. */
export function listNodes({ documents }: Outline): readonly OutlineStep[] {
  const main = documents[0];
  return main ? [...main.steps, ...main.handlers] : [];
}

export const findNode = (outline: Outline, ref: NodeRef): OutlineStep | undefined =>
  listNodes(outline).find((step) => isSameNode(step, ref));

/** The step or handler on whose lines a place of the text is, from its dash to the comment behind its last value. */
export function findNodeAt(
  { outline, text }: Pick<Analysis, 'outline' | 'text'>,
  at: number,
): OutlineStep | undefined {
  return listNodes(outline).findLast(({ from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1;
    // A range may take in the line break at its end.
    const last = text[to - 1] === '\n' ? to - 1 : to;
    const end = text.indexOf('\n', last);
    return start <= at && (end === -1 || at <= end);
  });
}

/**
 * The selection after a fresh look at the text: a node that has got another name is found by its place, one that is
 * gone is dropped.
 * @returns the same object when nothing has changed
 */
export function refreshSelection(
  selected: SelectedNodes,
  analysis: Pick<Analysis, 'outline' | 'text'>,
): SelectedNodes {
  const { outline } = analysis;
  const found = selected.nodes.map(
    (ref, index) => findNode(outline, ref) ?? findNodeAt(analysis, selected.anchors[index] ?? -1),
  );
  if (found.every((step, index) => step && isSameNode(step, selected.nodes[index]!))) return selected;
  const kept = found.filter((step) => step !== undefined);
  return {
    nodes: kept.map(({ section, name }) => ({ section, name })),
    anchors: kept.map(({ from }) => from),
  };
}
