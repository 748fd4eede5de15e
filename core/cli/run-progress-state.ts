import type { EventView } from '../contract/logs.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import type { NodeId, RunEvent } from '../model/run-event.ts';
import {
  closeItems,
  countItem,
  type ItemSummary,
  isFinal,
  type RunStatus,
  type StepStatus,
} from '../model/run.ts';

/** State of a step or handler as of its last event. Times in epoch milliseconds. */
export interface StepProgressState {
  readonly name: string;
  readonly section: NodeId['section'];
  status: StepStatus;
  attempt: number;
  startedAt?: number;
  finishedAt?: number;
  /** Time of the next attempt, while waiting for a retry. */
  retryAt?: number;
  error?: string;
  /** The open question. */
  asks?: string;
  /** Items of the newest attempt of a step with `parallel`. */
  items?: ItemSummary;
}

/** State of a run as of its last event. */
export interface RunProgressState {
  status: RunStatus;
  startedAt?: number;
  stopRequested: boolean;
  /** In workflow order; handlers after the steps, as they start. */
  readonly nodes: Map<string, StepProgressState>;
}

const getKey = (node: NodeId): string => `${node.section}/${node.name}`;

/** Returns the state of a run in which no step has started. */
export function emptyProgress(stepNames: readonly string[]): RunProgressState {
  const nodes = stepNames.map(emptyNode);
  return {
    status: 'not_started',
    stopRequested: false,
    nodes: new Map(nodes.map((node) => [getKey(node), node])),
  };
}

const emptyNode = (name: string): StepProgressState => ({
  name,
  section: 'step',
  status: 'not_started',
  attempt: 0,
});

/** Returns the state of a retried run: kept steps have ended, the others have not started. */
export function getRetryProgress(run: RunDetailView, reusedSteps: ReadonlySet<string>): RunProgressState {
  const progress = emptyProgress(run.steps.map(({ name }) => name));
  for (const { name, status, attempts } of run.steps.filter((step) => reusedSteps.has(step.name))) {
    const attempt = attempts.at(-1)?.attempt ?? 0;
    Object.assign(getNode(progress, { section: 'step', name }), { status, attempt });
  }
  return progress;
}

/** Returns the node of an event and adds it if new. */
export function getNode(progress: RunProgressState, id: NodeId): StepProgressState {
  const known = progress.nodes.get(getKey(id));
  if (known !== undefined) return known;
  const added: StepProgressState = { ...id, status: 'not_started', attempt: 0 };
  progress.nodes.set(getKey(id), added);
  return added;
}

/** Applies an event to the snapshot. */
export function applyEvent(progress: RunProgressState, { event, at: atIso }: EventView): void {
  const at = Date.parse(atIso);
  switch (event.type) {
    case 'run.started':
      progress.status = 'running';
      progress.startedAt ??= at;
      break;
    case 'run.retried':
      Object.assign(progress, { status: 'not_started', stopRequested: false });
      for (const name of event.steps) progress.nodes.set(getKey({ section: 'step', name }), emptyNode(name));
      break;
    case 'run.stop_requested':
      progress.stopRequested = true;
      break;
    case 'run.finished':
      progress.status = event.status;
      break;
    case 'step.started':
      startNode(getNode(progress, event.node), event.attempt, at);
      break;
    case 'step.approval_requested':
      getNode(progress, event.node).asks = event.question;
      break;
    case 'step.approval_resolved':
      delete getNode(progress, event.node).asks;
      break;
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      endAttempt(getNode(progress, event.node), { retryAt: event.dueAt, error: event.error });
      break;
    case 'step.item_started':
    case 'step.item_finished':
      applyItem(getNode(progress, event.node), event);
      break;
    case 'step.finished':
      endAttempt(getNode(progress, event.node), { status: event.status, finishedAt: at, error: event.error });
      break;
    case 'step.ended':
      endAttempt(getNode(progress, event.node), { status: event.status, error: event.reason });
      break;
    case 'step.status_set':
      getNode(progress, event.node).status = event.status;
      break;
    case 'run.created':
    case 'run.recovered':
    case 'run.terminating':
    case 'run.notification':
    case 'step.spawned':
    case 'step.waiting':
    case 'step.dispatched':
    case 'step.sub_run':
    case 'run.message':
    case 'run.note_changed':
      break;
  }
}

function startNode(node: StepProgressState, attempt: number, at: number): void {
  node.status = 'running';
  node.attempt = attempt;
  node.startedAt ??= at;
  delete node.retryAt;
  delete node.error;
  delete node.items;
  delete node.asks;
}

function applyItem(
  node: StepProgressState,
  event: Extract<RunEvent, { type: 'step.item_started' | 'step.item_finished' }>,
): void {
  node.items = countItem(node.items, event);
}

interface AttemptEnd {
  readonly status?: StepStatus;
  readonly finishedAt?: number;
  readonly retryAt?: number;
  readonly error: string | undefined;
}

function endAttempt(node: StepProgressState, end: AttemptEnd): void {
  delete node.asks;
  if (node.items !== undefined) node.items = closeItems(node.items);
  Object.assign(node, end);
}

/** Counts the steps by status. */
export function countStatuses(progress: RunProgressState): Map<StepStatus, number> {
  const counts = new Map<StepStatus, number>();
  for (const node of progress.nodes.values()) {
    if (node.section === 'step') counts.set(node.status, (counts.get(node.status) ?? 0) + 1);
  }
  return counts;
}

export const hasEnded = (node: StepProgressState): boolean => isFinal(node.status);
