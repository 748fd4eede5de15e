import type { JsonValue } from '../base/json.ts';
import {
  type ChangeSet,
  type EditOffer,
  type EditResult,
  type NodeRef,
  applyChanges,
} from './text-change.ts';
import { inspect, type Target } from './inspect.ts';
import { type AuthoredPath, getPathKey } from './outline.ts';
import { addStep, insertOnEdge, type StepPosition } from './steps/add-step.ts';
import { connect, disconnect } from './steps/connect.ts';
import { convertToGraph, moveStep } from './steps/convert.ts';
import { composeEdits, noEdit, openWorkflow } from './steps/open-workflow.ts';
import { duplicateSteps, pasteSteps } from './steps/paste-steps.ts';
import { removeSteps } from './steps/remove-steps.ts';
import { renameStep } from './steps/rename-step.ts';
import { removeHandler, setHandler, setStepField, setWorkflowField } from './steps/set-step-field.ts';
import { setStartTime, type StartTime } from './steps/set-start-time.ts';
import { readEditable, type EditableText } from './yaml/editable-text.ts';
import { moveKey, renameKey } from './yaml/keys.ts';
import { RawYaml } from './yaml/read-value.ts';
import { insertItem, moveItem } from './yaml/set-value.ts';
import { combine } from './yaml/text-edits.ts';

/** A value to be written, or its YAML. */
export type AuthoredValue = { readonly value: JsonValue } | { readonly yaml: string };

/**
 * An edit of a workflow file as plain data, so that a worker can compute it. `document` is the document index of a
 * further workflow in the file.
 */
export type EditRequest = EditTask & { readonly document?: number };

type EditTask =
  /** `to` is absent to remove the field. For several targets, the field is set in each. */
  | {
      readonly kind: 'set';
      readonly target: Target;
      readonly field: AuthoredPath;
      readonly to?: AuthoredValue;
    }
  /** Several edits of one target, in order, as one edit. */
  | { readonly kind: 'all'; readonly requests: readonly EditTask[] }
  | {
      readonly kind: 'rename-key';
      readonly target: Target;
      readonly field: AuthoredPath;
      readonly key: string;
    }
  | {
      readonly kind: 'insert';
      readonly target: Target;
      readonly field: AuthoredPath;
      readonly index: number;
      readonly to: AuthoredValue;
    }
  | {
      readonly kind: 'move';
      readonly target: Target;
      readonly field: AuthoredPath;
      /** Indexes in a list, or keys of a map. */
      readonly from: number | string;
      readonly to: number | string;
    }
  | { readonly kind: 'connect' | 'disconnect'; readonly source: NodeRef; readonly step: NodeRef }
  | { readonly kind: 'offer'; readonly offer: EditOffer }
  | AddStep
  | ({ readonly kind: 'move-step'; readonly step: NodeRef } & StepPosition)
  | { readonly kind: 'rename-step'; readonly step: NodeRef; readonly name: string }
  /** `text` is YAML. Default position: the end. */
  | ({ readonly kind: 'paste-steps'; readonly text: string } & StepPosition)
  | { readonly kind: 'duplicate-steps'; readonly target: Target }
  | { readonly kind: 'remove-steps'; readonly target: Target; readonly reconnect: boolean }
  | { readonly kind: 'set-handler'; readonly handler: string; readonly step: AuthoredValue }
  | { readonly kind: 'remove-handler'; readonly handler: string }
  /** Adds, changes or removes a start time of the main workflow. */
  | { readonly kind: 'start-time'; readonly index: number; readonly time?: StartTime };

/** Adds a step, by default at the end. */
interface AddStep extends StepPosition {
  readonly kind: 'add-step';
  readonly step: AuthoredValue;
  /** Made unique. */
  readonly name: string;
  /** The dependency that it is inserted into. */
  readonly edge?: { readonly source: NodeRef; readonly target: NodeRef };
  /** Whether it depends on the step before it, and the step after it on it. */
  readonly isConnected?: boolean;
}

const getContent = (to: AuthoredValue): JsonValue | RawYaml =>
  'yaml' in to ? new RawYaml(to.yaml) : to.value;

/** Computes an edit. */
export function computeEdit(editable: EditableText, request: EditRequest): EditResult {
  const { document } = request;
  switch (request.kind) {
    case 'all':
      return sequenceEdits(editable, request.requests, document);
    case 'set':
      return setField(editable, request);
    case 'connect':
      return checkOffer(editable, connect(editable, request.source, request.step, document), document);
    case 'disconnect':
      return disconnect(editable, request.source, request.step, document);
    case 'offer':
      return applyOffer(editable, request.offer, document);
    case 'add-step':
      return addRequested(editable, request, document);
    case 'move-step':
      return moveStep(editable, request.step, request);
    case 'rename-step':
      return renameStep(editable, request.step, request.name, document);
    case 'paste-steps':
      return pasteSteps(editable, request.text, request, document);
    case 'duplicate-steps':
      return duplicateSteps(editable, request.target, document);
    case 'remove-steps':
      return removeSteps(editable, request.target, {
        reconnect: request.reconnect,
        ...(document !== undefined && { document }),
      });
    case 'set-handler':
      return setHandler(editable, request.handler, getContent(request.step), document);
    case 'remove-handler':
      return removeHandler(editable, request.handler, document);
    case 'start-time':
      return setStartTime(editable, request.index, request.time);
    default:
      return editWritten(editable, request);
  }
}

function setField(
  editable: EditableText,
  request: Extract<EditTask, { kind: 'set' }> & { readonly document?: number },
): EditResult {
  const { target, field, to, document } = request;
  const [ref, ...more] = target;
  if (more.length > 0)
    return sequenceEdits(
      editable,
      target.map((one) => ({ ...request, target: [one] })),
      document,
    );
  const value = to && getContent(to);
  return ref === undefined
    ? setWorkflowField(editable, field, value, document)
    : setStepField(editable, ref, { field, value });
}

function addRequested(editable: EditableText, request: AddStep, document: number | undefined): EditResult {
  const { name, edge, after, before, isConnected = false } = request;
  const step = getContent(request.step);
  if (edge) return insertOnEdge(editable, { ...edge, step, name }, document);
  const workflow = openWorkflow(editable, document);
  // In a chain, the position is enough.
  const isGraph = isConnected && !('reason' in workflow) && workflow.type === 'graph';
  if (before && !after) {
    if (!isGraph) return addStep(editable, { step, name, before }, document);
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
  const behind = after?.section === 'step' ? after : undefined;
  return addStep(
    editable,
    { step, name, ...(behind && { after: behind, ...(isGraph && { dependsOn: [behind] }) }) },
    document,
  );
}

function applyOffer(editable: EditableText, offer: EditOffer, document: number | undefined): EditResult {
  if (offer.kind === 'convert-to-graph') return convertToGraph(editable, document);
  const { source, target } = offer;
  if (offer.kind === 'move') return moveStep(editable, target, { after: source });
  return composeEdits(editable, document, [
    (current) => disconnect(current.editable, target, source, document),
    (current) => connect(current.editable, source, target, document),
  ]);
}

/** Removes an offer that would not help, because another dependency prevents it. */
function checkOffer(editable: EditableText, result: EditResult, document: number | undefined): EditResult {
  if (result.ok || result.offer === undefined) return result;
  return canApply(editable, result.offer, document) ? result : { ok: false, reason: result.reason };
}

/** Whether an offer would help. */
export const canApply = (editable: EditableText, offer: EditOffer, document?: number): boolean =>
  applyOffer(editable, offer, document).ok;

/** Edits an existing value by its path. */
function editWritten(
  editable: EditableText,
  request: Extract<EditTask, { kind: 'rename-key' | 'insert' | 'move' }> & { readonly document?: number },
): EditResult {
  const [inspected] = inspect(editable, [request.target[0]], request.document);
  const state = inspected?.fields[getPathKey(request.field)];
  if (inspected === undefined || state === undefined)
    return { ok: false, reason: `"${request.field.join('.')}" no longer exists in the file.` };
  const address = { document: inspected.document, path: state.written };
  if (request.kind === 'rename-key') return renameKey(editable, address, request.key);
  if (request.kind === 'move') {
    const { from, to } = request;
    return typeof from === 'number'
      ? moveItem(editable, address, from, Number(to))
      : moveKey(editable, address, from, String(to));
  }
  return insertItem(editable, address, request.index, getContent(request.to));
}

/** Combines edits in order into one. Returns the first error, if any. */
function sequenceEdits(
  editable: EditableText,
  requests: readonly EditTask[],
  document: number | undefined,
): EditResult {
  let current = editable;
  const edits: ChangeSet[] = [];
  for (const request of requests) {
    const result = computeEdit(current, { ...request, ...(document !== undefined && { document }) });
    if (!result.ok) return result;
    if (result.changes.length === 0) continue;
    edits.push(result.changes);
    current = readEditable(applyChanges(current.text, result.changes), current);
  }
  return { ok: true, changes: combine(editable.text, ...edits) };
}
