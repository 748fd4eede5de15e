import type { JsonValue } from '../../../core/base/json.ts';
import {
  type EditResult,
  type NodeRef,
  applyChanges,
  type ChangeSet,
} from '../../../core/edit/text-change.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { setStartTime, type StartTime } from '../../../core/edit/steps/set-start-time.ts';
import {
  setStepField,
  setWorkflowField,
  removeHandler,
  setHandler,
} from '../../../core/edit/steps/set-step-field.ts';
import { duplicateSteps } from '../../../core/edit/steps/paste-steps.ts';
import { connect, disconnect } from '../../../core/edit/steps/connect.ts';
import { removeSteps } from '../../../core/edit/steps/remove-steps.ts';
import { combine } from '../../../core/edit/yaml/text-edits.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import { insertItem, moveItem } from '../../../core/edit/yaml/set-value.ts';
import { moveKey, renameKey } from '../../../core/edit/yaml/keys.ts';
import { RawYaml } from '../../../core/edit/yaml/read-value.ts';
import { getPathKey, type Target, inspect } from './inspect.ts';

/** A value to be written, or its YAML. */
export type AuthoredValue = { readonly value: JsonValue } | { readonly yaml: string };

/**
 * An edit that a form requests; plain data, so that a worker can compute it. `document` is the document index
 * of a further workflow in the file.
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
  /** Adds, changes or removes a start time of the main workflow. */
  | { readonly kind: 'start-time'; readonly index: number; readonly time?: StartTime }
  | { readonly kind: 'set-handler'; readonly handler: string; readonly step: JsonValue }
  | { readonly kind: 'remove-handler'; readonly handler: string }
  | { readonly kind: 'duplicate-steps'; readonly target: Target }
  | { readonly kind: 'remove-steps'; readonly target: Target; readonly reconnect: boolean };

const getContent = (to: AuthoredValue): JsonValue | RawYaml =>
  'yaml' in to ? new RawYaml(to.yaml) : to.value;

/** Computes an edit. */
export function computeEdit(editable: EditableText, request: EditRequest): EditResult {
  const { document } = request;
  switch (request.kind) {
    case 'all':
      return sequenceEdits(editable, request.requests, document);
    case 'set': {
      const { target, field, to } = request;
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
    case 'connect':
      return connect(editable, request.source, request.step);
    case 'disconnect':
      return disconnect(editable, request.source, request.step);
    case 'start-time':
      return setStartTime(editable, request.index, request.time);
    case 'set-handler':
      return setHandler(editable, request.handler, request.step, document);
    case 'remove-handler':
      return removeHandler(editable, request.handler, document);
    case 'duplicate-steps':
      return duplicateSteps(editable, request.target);
    case 'remove-steps':
      return removeSteps(editable, request.target, { reconnect: request.reconnect });
    default:
      return editWritten(editable, request);
  }
}

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
