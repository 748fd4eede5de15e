import type { RunDetailView, StepRunView } from '../../core/contract/runs/run-views.ts';
import type { StepStatus } from '../../core/model/run/status.ts';
import { askingWords, isAsking } from '../format/asking.ts';
import { abbreviateItems } from '../format/items.ts';
import { statusToken, statusWords } from '../format/status.ts';
import { nodeId, type GraphNode } from './build-graph.ts';

/** The current look of a node: the part of the graph that changes during a run. */
export interface StepLook {
  readonly status: StepStatus;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Finished items, as `37/120`; absent for a step without items. */
  readonly items?: string;
  /** Whether it waits for approval. */
  readonly asks?: boolean;
}

const lookOf = (step: StepRunView): StepLook => ({
  status: step.status,
  startedAt: step.startedAt,
  finishedAt: step.finishedAt,
  attempts: step.attempts.length,
  items: step.items && abbreviateItems(step.items),
  asks: isAsking(step),
});

const alike = (left: StepLook | undefined, right: StepLook): left is StepLook =>
  left?.status === right.status &&
  left.startedAt === right.startedAt &&
  left.finishedAt === right.finishedAt &&
  left.attempts === right.attempts &&
  left.items === right.items &&
  left.asks === right.asks;

/** Returns the looks of all nodes of a run; unchanged ones keep their object identity from `before`. */
export function collectLooks(
  run: RunDetailView | undefined,
  before: ReadonlyMap<string, StepLook>,
): ReadonlyMap<string, StepLook> {
  const looks = new Map<string, StepLook>();
  for (const step of run ? [...run.steps, ...run.handlers] : []) {
    const id = nodeId(step.section, step.name);
    const old = before.get(id);
    const look = lookOf(step);
    looks.set(id, alike(old, look) ? old : look);
  }
  return looks;
}

/** Returns the color of a node's status; the accent color if it waits for approval. */
export const colourOf = (look: StepLook | undefined): string =>
  look?.asks === true ? 'var(--accent)' : `var(--status-${statusToken(look?.status ?? 'not_started')})`;

/** Returns the accessible name of a node: `step build, failed, depends on fetch, 2 of 40`. */
export function describeNode(node: GraphNode, look: StepLook | undefined, total: number): string {
  const parts = [`${node.section} ${node.name}`];
  if (look) parts.push(statusWords[look.status].toLowerCase());
  if (look?.asks === true) parts.push(askingWords.toLowerCase());
  if (look && look.attempts > 1) parts.push(`attempt ${look.attempts}`);
  if (look?.items !== undefined) parts.push(`${look.items.replace('/', ' of ')} items done`);
  if (node.depends.length > 0) parts.push(`depends on ${node.depends.join(' and ')}`);
  parts.push(`${node.place} of ${total}`);
  return parts.join(', ');
}
