import { StateEffect, StateField, type EditorState } from '@codemirror/state';
import { invertedEffects } from '@codemirror/commands';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import {
  type Outline,
  type OutlineDocument,
  type OutlineStep,
  documentAt,
  toNodeRef,
} from '../../../core/edit/outline.ts';

/** The selected nodes, and their positions in the text. */
export interface SelectedNodes {
  /** All in one workflow. */
  readonly nodes: readonly NodeRef[];
  /** Offset of each node; it moves with the text. -1 if unknown. */
  readonly anchors: readonly number[];
  /**
   * Document index of the workflow that the views show, which contains the nodes; undefined for the main one.
   */
  readonly document: number | undefined;
  /** Offset of that document, as {@link anchors}. */
  readonly documentAnchor: number;
}

const nothing: SelectedNodes = { nodes: [], anchors: [], document: undefined, documentAnchor: -1 };

const move = (
  selected: SelectedNodes,
  mapping: { mapPos(at: number, side: -1 | 1): number },
): SelectedNodes => {
  const follow = (at: number): number => (at < 0 ? at : mapping.mapPos(at, 1));
  return {
    ...selected,
    anchors: selected.anchors.map(follow),
    documentAnchor: follow(selected.documentAnchor),
  };
};

/** Effect that selects nodes. */
export const setSelectedNodes = StateEffect.define<SelectedNodes>({
  map: move,
});

const field = StateField.define<SelectedNodes>({
  create: () => nothing,
  update(value, transaction) {
    let next = value;
    if (transaction.docChanged && value !== nothing) next = move(value, transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setSelectedNodes)) next = effect.value;
    return next;
  },
});

/** The selection of nodes as part of the document's state; undo restores the previous one. */
export const nodeSelection = [
  field,
  invertedEffects.of((transaction) =>
    transaction.docChanged ? [setSelectedNodes.of(transaction.startState.field(field))] : [],
  ),
];

export const readSelectedNodes = (state: EditorState): SelectedNodes => state.field(field);

export const isSameNode = (a: NodeRef, b: NodeRef): boolean =>
  a.section === b.section && a.name === b.name && a.document === b.document;

/** Returns a workflow of the file by document index; the main one without an index. */
export const findWorkflow = ({ documents }: Outline, index?: number): OutlineDocument | undefined =>
  index === undefined ? documents[0] : documents.find((one) => one.index === index);

/** Returns a workflow of the file as parsed by the engine; undefined while the text has errors. */
export function findInputFieldDescription(
  { outline, workflows }: Analysis,
  index?: number,
): Workflow | undefined {
  const documentIndex = outline.documents.findIndex((one) => one.index === index);
  return documentIndex <= 0 ? workflows[0] : workflows[documentIndex];
}

/** Lists all steps and handlers of a workflow of the file; of the main one without an index. */
export function listNodes(outline: Outline, index?: number): readonly OutlineStep[] {
  const document = findWorkflow(outline, index);
  return document ? [...document.steps, ...document.handlers] : [];
}

/** Lists the steps and handlers of all workflows of the file. */
export const listAllNodes = ({ documents }: Outline): readonly OutlineStep[] =>
  documents.flatMap(({ steps, handlers }) => [...steps, ...handlers]);

export const findNode = (outline: Outline, ref: NodeRef): OutlineStep | undefined =>
  listNodes(outline, ref.document).find((step) => isSameNode(step, ref));

/** Returns the document index of the further workflow at an offset; undefined in the main one. */
export function findLocalDagAt(outline: Outline, at: number): number | undefined {
  const document = documentAt(outline, at);
  return document === outline.documents[0] ? undefined : document?.index;
}

/**
 * Returns the step or handler whose lines contain an offset, from its dash to the comment after its last value.
 */
export function findNodeAt(
  { outline, text }: Pick<Analysis, 'outline' | 'text'>,
  at: number,
): OutlineStep | undefined {
  return listAllNodes(outline).findLast(({ from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1;
    // A range may include the line break at its end.
    const last = text[to - 1] === '\n' ? to - 1 : to;
    const end = text.indexOf('\n', last);
    return start <= at && (end === -1 || at <= end);
  });
}

/**
 * Updates the selection after an analysis: a renamed node is found by its position, a removed one is dropped.
 * @returns the same object if nothing has changed
 */
export function refreshSelection(
  selected: SelectedNodes,
  analysis: Pick<Analysis, 'outline' | 'text'>,
): SelectedNodes {
  const { outline } = analysis;
  const document = refreshDocument(selected, outline);
  const found = selected.nodes.map((ref, index) => {
    const at = selected.anchors[index] ?? -1;
    // Documents before it may have been added or removed.
    const further = at < 0 ? ref.document : findLocalDagAt(outline, at);
    return (
      findNode(outline, { section: ref.section, name: ref.name, ...inDocument(further) }) ??
      findNodeAt(analysis, at)
    );
  });
  const isSame = found.every((step, index) => step && isSameNode(step, selected.nodes[index]!));
  const isCanonical =
    (document === undefined || selected.documentAnchor >= 0) && selected.anchors.every((at) => at >= 0);
  if (isSame && isCanonical && document === selected.document) return selected;
  const existing = found.filter((step) => step !== undefined);
  return {
    nodes: isSame ? selected.nodes : existing.map(toNodeRef),
    anchors: existing.map(({ from }) => from),
    document: existing.length > 0 ? existing[0]!.document : document,
    documentAnchor: findWorkflow(outline, document)?.from ?? -1,
  };
}

const inDocument = (document: number | undefined): { readonly document?: number } => ({
  ...(document !== undefined && { document }),
});

/** Falls back to the main workflow if the shown one was removed. */
function refreshDocument({ document, documentAnchor }: SelectedNodes, outline: Outline): number | undefined {
  if (document === undefined) return undefined;
  if (documentAnchor >= 0) return findLocalDagAt(outline, documentAnchor);
  return findWorkflow(outline, document) && document;
}
