import type { RunDetailView, StepRunView } from '../../core/contract/runs/run-views.ts';
import type { StepStatus } from '../../core/model/run/status.ts';
import { askingLabels, isAsking } from '../format/asking.ts';
import { abbreviateItems } from '../format/items.ts';
import { statusToken, statusLabels } from '../format/status.ts';
import { nodeId, type GraphNode } from './build-graph.ts';

/** The current look of a node: the part of the graph that changes during a run. */
export interface StepAppearance {
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

const appearanceOf = (step: StepRunView): StepAppearance => ({
  status: step.status,
  startedAt: step.startedAt,
  finishedAt: step.finishedAt,
  attempts: step.attempts.length,
  items: step.items && abbreviateItems(step.items),
  asks: isAsking(step),
});

const alike = (left: StepAppearance | undefined, right: StepAppearance): left is StepAppearance =>
  left?.status === right.status &&
  left.startedAt === right.startedAt &&
  left.finishedAt === right.finishedAt &&
  left.attempts === right.attempts &&
  left.items === right.items &&
  left.asks === right.asks;

/** Returns the looks of all nodes of a run; unchanged ones keep their object identity from `before`. */
export function collectAppearances(
  run: RunDetailView | undefined,
  before: ReadonlyMap<string, StepAppearance>,
): ReadonlyMap<string, StepAppearance> {
  const appearances = new Map<string, StepAppearance>();
  for (const step of run ? [...run.steps, ...run.handlers] : []) {
    const id = nodeId(step.section, step.name);
    const old = before.get(id);
    const appearance = appearanceOf(step);
    appearances.set(id, alike(old, appearance) ? old : appearance);
  }
  return appearances;
}

/** Returns the color of a node's status; the accent color if it waits for approval. */
export const colourOf = (appearance: StepAppearance | undefined): string =>
  appearance?.asks === true
    ? 'var(--accent)'
    : `var(--status-${statusToken(appearance?.status ?? 'not_started')})`;

/** Returns the accessible name of a node: `step build, failed, depends on fetch, 2 of 40`. */
export function describeNode(node: GraphNode, appearance: StepAppearance | undefined, total: number): string {
  const labels = [`${node.section} ${node.name}`];
  if (appearance) labels.push(statusLabels[appearance.status].toLowerCase());
  if (appearance?.asks === true) labels.push(askingLabels.toLowerCase());
  if (appearance && appearance.attempts > 1) labels.push(`attempt ${appearance.attempts}`);
  if (appearance?.items !== undefined) labels.push(`${appearance.items.replace('/', ' of ')} items done`);
  if (node.depends.length > 0) labels.push(`depends on ${node.depends.join(' and ')}`);
  labels.push(`${node.ordinal} of ${total}`);
  return labels.join(', ');
}
