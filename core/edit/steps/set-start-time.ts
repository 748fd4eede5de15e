import { isMap, isSeq, type Node } from 'yaml';
import type { AuthoredPath } from '../outline.ts';
import { resolveNode, getKeyText, getNodeText } from '../step-fields.ts';
import type { EditResult } from '../text-change.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { openWorkflow, type OpenWorkflow, composeEdits, noEdit } from './open-workflow.ts';
import { setWorkflowField } from './set-step-field.ts';

/** A start time of a schedule. */
export interface StartTime {
  /** Cron expression, or a date with a time, without a time zone. */
  readonly expression: string;
  /** Default: the time zone of the workflow. */
  readonly zone?: string | undefined;
}

/**
 * Sets, adds or removes a start time of the main workflow. Comments and other entries stay. A time zone is written as
 * `timezone` with the first entry of a file, and as `CRON_TZ=` of the entry otherwise.
 * @param index of the entry; one that does not exist is added
 * @param time undefined to remove the entry
 */
export function setStartTime(editable: EditableText, index: number, time: StartTime | undefined): EditResult {
  const workflow = openWorkflow(editable);
  if ('reason' in workflow) return workflow;
  const field = workflow.fields.get('schedule');
  const timezone = getNodeText(workflow.fields.get('timezone')?.value);
  const isFirst = field === undefined && timezone === undefined;
  const entries = readEntries(workflow);
  const text =
    time === undefined || time.zone === undefined || time.zone === timezone || isFirst
      ? time?.expression
      : `CRON_TZ=${time.zone} ${time.expression}`;
  const zone = isFirst ? time?.zone : undefined;
  return composeEdits(editable, undefined, [
    ({ editable: now }) =>
      text === undefined ? remove(now, entries, index) : set(now, entries, index, text),
    ({ editable: now }) => (zone === undefined ? noEdit : setWorkflowField(now, ['timezone'], zone)),
  ]);
}

/** How the start times of a file are written. */
interface Entries {
  readonly path: AuthoredPath;
  /** Undefined for a single string. */
  readonly list: readonly string[] | undefined;
  readonly single: string | undefined;
  /** Whether `schedule` has other keys, so that it stays without start times. */
  readonly hasOthers: boolean;
}

function readEntries({ fields, document }: OpenWorkflow): Entries {
  const node = fields.get('schedule')?.value ?? null;
  if (!isMap<Node, Node | null>(node)) return { path: ['schedule'], ...readTimes(node), hasOthers: false };
  const pair = node.items.find(({ key }) => getKeyText(key) === 'start');
  return {
    path: ['schedule', 'start'],
    ...readTimes(resolveNode(pair?.value, document)),
    hasOthers: node.items.some((other) => other !== pair),
  };
}

const readTimes = (node: Node | null): Pick<Entries, 'list' | 'single'> =>
  isSeq<Node>(node)
    ? { list: node.items.map((item) => getNodeText(item) ?? ''), single: undefined }
    : { list: undefined, single: getNodeText(node) };

function set(
  editable: EditableText,
  { path, list, single }: Entries,
  index: number,
  text: string,
): EditResult {
  if (list !== undefined) return setWorkflowField(editable, [...path, Math.min(index, list.length)], text);
  if (single === undefined || index === 0) return setWorkflowField(editable, path, text);
  return setWorkflowField(editable, path, [single, text]);
}

function remove(editable: EditableText, entries: Entries, index: number): EditResult {
  const { path, list, single, hasOthers } = entries;
  const count = list?.length ?? (single === undefined ? 0 : 1);
  if (index >= count)
    return { ok: false, reason: 'This time is not in the file: it comes from the base configuration.' };
  const field = count > 1 ? [...path, index] : hasOthers ? path : ['schedule'];
  return setWorkflowField(editable, field, undefined);
}
