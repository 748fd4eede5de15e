import type { RefObject } from 'react';
import type { ReactFlowInstance } from 'reactflow';
import type { EditOffer, EditResult, NodeRef, EditRejection } from '../../../core/edit/text-change.ts';
import { addStep, insertOnEdge } from '../../../core/edit/steps/add-step.ts';
import { copySteps } from '../../../core/edit/steps/copy-steps.ts';
import { duplicateSteps, pasteSteps } from '../../../core/edit/steps/paste-steps.ts';
import { convertToGraph, moveStep } from '../../../core/edit/steps/convert.ts';
import { removeSteps } from '../../../core/edit/steps/remove-steps.ts';
import { renameStep } from '../../../core/edit/steps/rename-step.ts';
import { composeEdits, noEdit } from '../../../core/edit/steps/open-workflow.ts';
import { setHandler } from '../../../core/edit/steps/set-step-field.ts';
import { connect, disconnect } from '../../../core/edit/steps/connect.ts';
import type { EditableText } from '../../../core/edit/yaml/editable-text.ts';
import { RawYaml } from '../../../core/edit/yaml/read-value.ts';
import type { EditorSession } from '../session/editor-session.ts';
import type { EditorCommands } from '../run/editor-commands.ts';
import type { Snippet } from './snippets.ts';
import type { EdgeRef, CanvasStore } from './canvas-store.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import type { CardPositions } from './card-positions.ts';
import type { SubWorkflowFolds } from './use-folds.ts';

/** Where a new step is inserted, and what it is connected to. */
export interface NewStepPosition {
  readonly after?: NodeRef;
  readonly before?: NodeRef;
  readonly edge?: EdgeRef;
  readonly handler?: string;
}

/** The result of an edit, with the steps that it created or changed. */
export type StepEditResult =
  | {
      readonly ok: true;
      readonly select: readonly NodeRef[];
      /** Dependencies that pasted steps had elsewhere and lost. */
      readonly lost?: readonly string[];
    }
  | EditRejection;

/** Step edits of the session, shared by canvas, menus and outline. */
interface StepCommands {
  add(snippet: Snippet, position: NewStepPosition): StepEditResult;
  connect(edge: EdgeRef): StepEditResult;
  disconnect(edge: EdgeRef): StepEditResult;
  /** @param reconnect whether dependents of the removed steps depend on the steps' own dependencies instead */
  remove(refs: readonly NodeRef[], reconnect: boolean): StepEditResult;
  duplicate(refs: readonly NodeRef[]): StepEditResult;
  rename(ref: NodeRef, name: string): StepEditResult;
  /** Returns the steps as YAML. */
  copy(refs: readonly NodeRef[]): { readonly ok: true; readonly text: string } | EditRejection;
  /** Inserts steps given as YAML. @param after the step to insert them after. Default: the end */
  paste(text: string, after: NodeRef | undefined): StepEditResult;
  applyOffer(offer: EditOffer): StepEditResult;
  /** Whether an offer would help; another dependency may still prevent it. */
  canApply(offer: EditOffer): boolean;
}

/** @param document index of the edited workflow's document in the file; the main workflow when undefined */
export function stepCommands(session: EditorSession, document: number | undefined): StepCommands {
  const apply = (edit: EditResult, label: string): StepEditResult => {
    if (!edit.ok) return edit;
    session.apply(edit, { label });
    return { ok: true, select: edit.select ?? [], ...(edit.lost && { lost: edit.lost }) };
  };
  const text = () => session.editable;
  return {
    add: (snippet, target) => apply(addSnippet(session, snippet, target, document), `add ${snippet.label}`),
    connect: ({ source, target }) =>
      apply(connect(text(), source, target, document), `connect ${source.name} to ${target.name}`),
    disconnect: ({ source, target }) =>
      apply(disconnect(text(), source, target, document), `disconnect ${source.name} from ${target.name}`),
    remove: (refs, reconnect) =>
      apply(
        removeSteps(text(), refs, { reconnect, ...(document !== undefined && { document }) }),
        `delete ${nameAll(refs)}`,
      ),
    duplicate: (refs) => apply(duplicateSteps(text(), refs, document), `duplicate ${nameAll(refs)}`),
    rename: (ref, name) => apply(renameStep(text(), ref, name, document), `rename ${ref.name} to ${name}`),
    copy: (refs) => copySteps(text(), refs, document),
    paste: (pasted, after) =>
      apply(pasteSteps(text(), pasted, after ? { after } : {}, document), 'paste steps'),
    applyOffer: (offer) => apply(offerEdit(text(), offer, document), offerLabels[offer.kind]),
    canApply: (offer) => offerEdit(text(), offer, document).ok,
  };
}

const offerLabels = {
  'convert-to-graph': 'use explicit dependencies',
  reverse: 'reverse dependency',
  move: 'move step',
} as const;

/** Computes the edit of an offer. */
export function offerEdit(editable: EditableText, offer: EditOffer, document?: number): EditResult {
  if (offer.kind === 'convert-to-graph') return convertToGraph(editable, document);
  const { source, target } = offer;
  if (offer.kind === 'move') return moveStep(editable, target, { after: source });
  return composeEdits(editable, document, [
    (current) => disconnect(current.editable, target, source, document),
    (current) => connect(current.editable, source, target, document),
  ]);
}

const nameAll = (refs: readonly NodeRef[]): string =>
  refs.length === 1 ? refs[0]!.name : `${refs.length} steps`;

function addSnippet(
  session: EditorSession,
  { yaml, name }: Snippet,
  { after, before, edge, handler }: NewStepPosition,
  document: number | undefined,
): EditResult {
  const step = new RawYaml(yaml);
  const { editable } = session;
  if (handler !== undefined) return setHandler(editable, handler, step, document);
  if (edge) return insertOnEdge(editable, { ...edge, step, name }, document);
  if (before && !after) return addBefore(session, { step, name, before }, document);
  const isGraph = findDocument(session, document)?.type === 'graph';
  const behind = after?.section === 'step' ? after : undefined;
  return addStep(
    editable,
    { step, name, ...(behind && { after: behind, ...(isGraph && { dependsOn: [behind] }) }) },
    document,
  );
}

/** Adds a step that an existing step depends on. In a sequential workflow, inserting it before is enough. */
function addBefore(
  session: EditorSession,
  { step, name, before }: { readonly step: RawYaml; readonly name: string; readonly before: NodeRef },
  document: number | undefined,
): EditResult {
  const { editable } = session;
  if (findDocument(session, document)?.type !== 'graph')
    return addStep(editable, { step, name, before }, document);
  let added: NodeRef | undefined;
  return composeEdits(editable, document, [
    (current) => {
      const result = addStep(current.editable, { step, name, before }, document);
      added = result.ok ? result.select?.[0] : undefined;
      return result;
    },
    (current) => (added ? connect(current.editable, added, before, document) : noEdit),
  ]);
}

const findDocument = ({ view }: EditorSession, document: number | undefined) =>
  view.analysis?.outline.documents.find(({ index }) => document === undefined || index === document);

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
