import type { RunDetailView, StepRunView } from '../../core/contract/runs/run-views.ts';
import type { StepStatus } from '../../core/model/run/status.ts';
import { askingWords, isAsking } from '../format/asking.ts';
import { abbreviateItems } from '../format/items.ts';
import { statusToken, statusWords } from '../format/status.ts';
import { nodeId, type GraphNode } from './build-graph.ts';

/** How a node looks at the moment: the part of the graph that changes while a run goes on. */
export interface StepLook {
  readonly status: StepStatus;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** Attempts made so far. */
  readonly attempts: number;
  /** Items done, as `37/120`; absent for a step without items. */
  readonly items?: string;
  /** It waits for the answer of a person. */
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

/** The looks of all nodes of a run; those that have not changed are the same objects as `before`. */
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

/** The colour of how a node stands; that of what can be acted on when it waits for a person. */
export const colourOf = (look: StepLook | undefined): string =>
  look?.asks === true ? 'var(--accent)' : `var(--status-${statusToken(look?.status ?? 'not_started')})`;

/** What a screen reader says of a node: `step build, failed, depends on fetch, 2 of 40`. */
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
