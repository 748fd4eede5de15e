import type { EventView } from '../contract/logs.ts';
import { answerCommand, formatAnswer } from '../model/approval.ts';
import { formatActor, type AttemptExit, type NodeId, type RunEvent } from '../model/run-event.ts';
import type { StepStatus, ItemSummary, RunRef } from '../model/run.ts';
import { formatDuration } from '../base/text.ts';
import { oneLine } from './format.ts';
import type { StepProgressState, RunProgressState } from './run-progress-state.ts';

/** An event as text for people. */
export interface EventText {
  /** The status that determines the colour. */
  readonly status?: StepStatus;
  readonly text: string;
}

/**
 * Returns a line for an event, without its time; undefined for internal events.
 * @param progress the run, already updated with this event
 */
export function formatEvent(
  { event, name, dagRunId, at }: EventView,
  progress: RunProgressState,
): EventText | undefined {
  switch (event.type) {
    case 'run.started':
    case 'run.retried':
    case 'run.recovered':
    case 'run.terminating':
    case 'run.stop_requested':
    case 'run.note_changed':
    case 'run.finished':
      return formatRunEvent(event, { run: `run ${name}`, dagRunId }, since(progress.startedAt, at));
    case 'step.started':
      return {
        status: 'running',
        text: `${label(event.node)} started${event.attempt > 1 ? ` (attempt ${event.attempt})` : ''}`,
      };
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      return formatDelay(event, at);
    case 'step.item_finished':
      return formatItemEvent(event, findNode(progress, event.node)?.items);
    case 'step.finished': {
      const { startedAt, items } = findNode(progress, event.node) ?? {};
      const done = items === undefined ? '' : `, ${formatItemCounts(items)}`;
      const end = `${event.status}${since(startedAt, at)}${done}${formatExit(event)}`;
      return { status: event.status, text: `${label(event.node)} ${end}` };
    }
    case 'step.ended':
      return { status: event.status, text: `${label(event.node)} ${event.status}${reason(event.reason)}` };
    case 'step.status_set':
      return {
        status: event.status,
        text: `${label(event.node)} set to ${event.status} ${oneLine(formatActor(event.by))}`,
      };
    case 'step.waiting':
    case 'step.dispatched':
    case 'step.approval_requested':
    case 'step.approval_resolved':
      return { text: formatWaiting(event, { name, dagRunId }) };
    case 'step.sub_run':
      if (event.item !== undefined) return undefined;
      return { text: `${label(event.node)} started sub-run ${event.name} ${event.dagRunId}` };
    case 'run.message':
      return { text: formatRunMessage(event) };
    case 'run.created':
    case 'run.notification':
    case 'step.spawned':
    case 'step.item_started':
      return undefined;
  }
}

type DelayEvent = Extract<RunEvent, { type: 'step.retry_scheduled' | 'step.repeat_scheduled' }>;

function formatDelay(event: DelayEvent, at: string): EventText {
  const wait = formatDuration(event.dueAt - Date.parse(at));
  const step = label(event.node);
  return event.type === 'step.retry_scheduled'
    ? { status: 'failed', text: `${step} failed${formatExit(event)}, retrying in ${wait}` }
    : { text: `${step} ended${formatExit(event)}, repeating in ${wait}` };
}

type RunStep = Extract<
  RunEvent,
  {
    type:
      | 'run.started'
      | 'run.retried'
      | 'run.recovered'
      | 'run.terminating'
      | 'run.stop_requested'
      | 'run.note_changed'
      | 'run.finished';
  }
>;

/** @param took duration of the run, formatted to follow its status */
function formatRunEvent(
  event: RunStep,
  { run, dagRunId }: { readonly run: string; readonly dagRunId: string },
  took: string,
): EventText | undefined {
  switch (event.type) {
    case 'run.started':
      return { status: 'running', text: `${run} ${dagRunId} started` };
    case 'run.retried':
      return { text: `${run} ${dagRunId} retried ${oneLine(formatActor(event.by))}` };
    case 'run.recovered':
      return { text: oneLine(`${run} taken over by ${event.by} from ${event.from}: ${event.reason}`) };
    case 'run.terminating':
      return event.cause === 'stopped' ? undefined : { text: `${run} ending: ${oneLine(event.error)}` };
    case 'run.stop_requested':
      return { text: `${run} stopping, requested ${oneLine(formatActor(event.by))}` };
    case 'run.note_changed':
      return { text: `${run} note changed ${oneLine(formatActor(event.by))}` };
    case 'run.finished':
      return { status: event.status, text: `${run} ${event.status}${took}${reason(event.error)}` };
  }
}

/** Describes failed items. Others are only counted, because there may be a thousand. */
function formatItemEvent(
  event: Extract<RunEvent, { type: 'step.item_finished' }>,
  items: ItemSummary | undefined,
): EventText | undefined {
  const { node, item, status } = event;
  if (status === 'failed') return { status, text: `${label(node)} item ${item} failed${formatExit(event)}` };
  if (items === undefined || !hasReachedTenth(items)) return undefined;
  return { text: `${label(node)} ${formatItemCounts(items)}` };
}

const label = (node: NodeId): string => `${node.section} ${oneLine(node.name)}`;

const findNode = (progress: RunProgressState, { section, name }: NodeId): StepProgressState | undefined =>
  progress.nodes.get(`${section}/${name}`);

const since = (start: number | undefined, at: string): string =>
  start === undefined ? '' : ` in ${formatDuration(Date.parse(at) - start)}`;

const reason = (text: string | undefined): string => (text === undefined ? '' : `: ${oneLine(text)}`);

/** Returns ` (exit code 3): why`, as far as known. */
function formatExit(end: AttemptExit): string {
  const how =
    end.exitCode === undefined ? end.signal : end.exitCode === 0 ? undefined : `exit code ${end.exitCode}`;
  return `${how === undefined || end.error?.includes(how) ? '' : ` (${how})`}${reason(end.error)}`;
}

const formatItem = ({ item }: { readonly item?: number }): string =>
  item === undefined ? '' : ` item ${item}`;

const formatRunMessage = ({ node, level, message }: Extract<RunEvent, { type: 'run.message' }>): string =>
  `${node ? `${label(node)} ` : ''}${level}: ${oneLine(message)}`;

type WaitingEvent = Extract<
  RunEvent,
  { type: 'step.waiting' | 'step.dispatched' | 'step.approval_requested' | 'step.approval_resolved' }
>;

/** Describes waiting for a worker or an answer, and its end. */
function formatWaiting(event: WaitingEvent, run: RunRef): string {
  const stepLabel = label(event.node);
  switch (event.type) {
    case 'step.waiting':
      return `${stepLabel}${formatItem(event)} waiting: ${oneLine(event.reason)}`;
    case 'step.dispatched':
      return `${stepLabel}${formatItem(event)} running on worker ${oneLine(event.worker)}`;
    case 'step.approval_requested':
      return `${stepLabel} waiting for approval: ${oneLine(event.question)} (${formatAnswerCommand(event, run)})`;
    case 'step.approval_resolved':
      return `${stepLabel} ${oneLine(formatAnswer(event))}`;
  }
}

/** Returns the command that answers a step from another terminal. */
function formatAnswerCommand(
  { node, required }: Extract<RunEvent, { type: 'step.approval_requested' }>,
  run: RunRef,
): string {
  const inputs = required.map((name) => ` --input ${name}=…`).join('');
  return `${answerCommand(run, node)}${inputs}, or engine reject`;
}

/** Returns `37/120 items, 2 failed, 10 running`, or `37 items …` while the total is unknown. */
export function formatItemCounts({ total, running, succeeded, failed }: ItemSummary): string {
  const done = succeeded + failed;
  const counts = [
    `${total === undefined ? done : `${done}/${total}`} ${(total ?? done) === 1 ? 'item' : 'items'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(running > 0 ? [`${running} running`] : []),
  ];
  return counts.join(', ');
}

/** Minimum number of items for progress lines. */
const manyItems = 20;

/** Whether another tenth of many items has just finished. */
function hasReachedTenth({ total, succeeded, failed }: ItemSummary): boolean {
  const done = succeeded + failed;
  if (total === undefined || total < manyItems || done >= total) return false;
  return Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total);
}
