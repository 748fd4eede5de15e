import type { EventView } from '../../contract/runs/events.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { NodeId, RunEvent } from '../../model/run/run-event.ts';
import { closeItems, countItem } from '../../model/run/item-summary.ts';
import type { ItemSummary } from '../../model/run/run.ts';
import { isFinal, type RunStatus, type StepStatus } from '../../model/run/status.ts';

/** A step or handler as its events have painted it so far. Times in epoch milliseconds. */
export interface NodePicture {
  readonly name: string;
  readonly section: NodeId['section'];
  status: StepStatus;
  attempt: number;
  startedAt?: number;
  finishedAt?: number;
  /** When the next attempt is due, while it waits for one. */
  retryAt?: number;
  error?: string;
  /** The question whose answer it waits for. */
  asks?: string;
  /** Items of the newest attempt, for a step with `parallel`. */
  items?: ItemSummary;
}

/** A run as its events have painted it so far. */
export interface RunPicture {
  status: RunStatus;
  startedAt?: number;
  stopRequested: boolean;
  /** In the order of the workflow; handlers after the steps, as they begin. */
  readonly nodes: Map<string, NodePicture>;
}

const keyOf = (node: NodeId): string => `${node.section}/${node.name}`;

/** A picture in which no step has begun. */
export function blankPicture(stepNames: readonly string[]): RunPicture {
  const nodes = stepNames.map(blankNode);
  return {
    status: 'not_started',
    stopRequested: false,
    nodes: new Map(nodes.map((node) => [keyOf(node), node])),
  };
}

const blankNode = (name: string): NodePicture => ({
  name,
  section: 'step',
  status: 'not_started',
  attempt: 0,
});

/** The picture of a run that goes on after its end: kept steps have ended, the others have not begun. */
export function pictureOf(run: RunDetailView, kept: ReadonlySet<string>): RunPicture {
  const picture = blankPicture(run.steps.map(({ name }) => name));
  for (const { name, status, attempts } of run.steps.filter((step) => kept.has(step.name))) {
    const attempt = attempts.at(-1)?.attempt ?? 0;
    Object.assign(nodeOf(picture, { section: 'step', name }), { status, attempt });
  }
  return picture;
}

/** The node of an event, added when it is new. */
export function nodeOf(picture: RunPicture, id: NodeId): NodePicture {
  const known = picture.nodes.get(keyOf(id));
  if (known !== undefined) return known;
  const added: NodePicture = { ...id, status: 'not_started', attempt: 0 };
  picture.nodes.set(keyOf(id), added);
  return added;
}

/** Paints one event into the picture. */
export function paintEvent(picture: RunPicture, { event, at: atIso }: EventView): void {
  const at = Date.parse(atIso);
  switch (event.type) {
    case 'run.started':
      picture.status = 'running';
      picture.startedAt ??= at;
      break;
    case 'run.retried':
      Object.assign(picture, { status: 'not_started', stopRequested: false });
      for (const name of event.steps) picture.nodes.set(keyOf({ section: 'step', name }), blankNode(name));
      break;
    case 'run.stop_requested':
      picture.stopRequested = true;
      break;
    case 'run.finished':
      picture.status = event.status;
      break;
    case 'step.started':
      startNode(nodeOf(picture, event.node), event.attempt, at);
      break;
    case 'step.approval_requested':
      nodeOf(picture, event.node).asks = event.question;
      break;
    case 'step.approval_resolved':
      delete nodeOf(picture, event.node).asks;
      break;
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      Object.assign(endWork(nodeOf(picture, event.node)), { retryAt: event.dueAt, error: event.error });
      break;
    case 'step.item_started':
    case 'step.item_finished':
      paintItem(nodeOf(picture, event.node), event);
      break;
    case 'step.finished':
      Object.assign(endWork(nodeOf(picture, event.node)), {
        status: event.status,
        finishedAt: at,
        error: event.error,
      });
      break;
    case 'step.ended':
      Object.assign(endWork(nodeOf(picture, event.node)), { status: event.status, error: event.reason });
      break;
    case 'step.status_set':
      nodeOf(picture, event.node).status = event.status;
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
      break;
  }
}

function startNode(node: NodePicture, attempt: number, at: number): void {
  node.status = 'running';
  node.attempt = attempt;
  node.startedAt ??= at;
  delete node.retryAt;
  delete node.error;
  delete node.items;
  delete node.asks;
}

function paintItem(
  node: NodePicture,
  event: Extract<RunEvent, { type: 'step.item_started' | 'step.item_finished' }>,
): void {
  node.items = countItem(node.items, event);
}

function endWork(node: NodePicture): NodePicture {
  delete node.asks;
  if (node.items === undefined) return node;
  return Object.assign(node, { items: closeItems(node.items) });
}

/** How many steps are in each status. */
export function countStatuses(picture: RunPicture): Map<StepStatus, number> {
  const counts = new Map<StepStatus, number>();
  for (const node of picture.nodes.values()) {
    if (node.section === 'step') counts.set(node.status, (counts.get(node.status) ?? 0) + 1);
  }
  return counts;
}

/** Whether a node has ended. */
export const hasEnded = (node: NodePicture): boolean => isFinal(node.status);
