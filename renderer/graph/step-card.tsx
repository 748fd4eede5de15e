import { Hand } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunDetailView, StepRunView } from '../../core/contract/run-views.ts';
import type { StepStatus } from '../../core/model/run.ts';
import { type ActionKind, abbreviateItems, statusToken, statusLabels } from '../format/labels.ts';
import { askingLabels, isAsking } from '../format/values.ts';
import { useElapsed } from '../base/clock.ts';
import { formatDuration, formatElapsed, getSpan } from '../format/time.ts';
import { StatusShape } from '../ui/status.tsx';
import { nodeId, type GraphNode } from './build-graph.ts';
import { stepIcons } from './step-icon.ts';
import styles from './graph.module.css';

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

const getAppearance = (step: StepRunView): StepAppearance => ({
  status: step.status,
  startedAt: step.startedAt,
  finishedAt: step.finishedAt,
  attempts: step.attempts.length,
  items: step.items && abbreviateItems(step.items),
  asks: isAsking(step),
});

const alike = (a: StepAppearance | undefined, b: StepAppearance): a is StepAppearance =>
  a?.status === b.status &&
  a.startedAt === b.startedAt &&
  a.finishedAt === b.finishedAt &&
  a.attempts === b.attempts &&
  a.items === b.items &&
  a.asks === b.asks;

/** Returns the looks of all nodes of a run; unchanged ones keep their object identity from `before`. */
export function collectAppearances(
  run: RunDetailView | undefined,
  before: ReadonlyMap<string, StepAppearance>,
): ReadonlyMap<string, StepAppearance> {
  const appearances = new Map<string, StepAppearance>();
  for (const step of run ? [...run.steps, ...run.handlers] : []) {
    const id = nodeId(step.section, step.name);
    const old = before.get(id);
    const appearance = getAppearance(step);
    appearances.set(id, alike(old, appearance) ? old : appearance);
  }
  return appearances;
}

/** Returns the color of a node's status; the accent color if it waits for approval. */
export const getColour = (appearance: StepAppearance | undefined): string =>
  appearance?.asks === true
    ? 'var(--accent)'
    : `var(--status-${statusToken(appearance?.status ?? 'not_started')})`;

/** Returns the accessible name of a node: `step build, failed, depends on fetch, 2 of 40`. */
export function formatNode(node: GraphNode, appearance: StepAppearance | undefined, total: number): string {
  const labels = [`${node.section} ${node.name}`];
  if (appearance) labels.push(statusLabels[appearance.status].toLowerCase());
  if (appearance?.asks === true) labels.push(askingLabels.toLowerCase());
  if (appearance && appearance.attempts > 1) labels.push(`attempt ${appearance.attempts}`);
  if (appearance?.items !== undefined) labels.push(`${appearance.items.replace('/', ' of ')} items done`);
  if (node.depends.length > 0) labels.push(`depends on ${node.depends.join(' and ')}`);
  labels.push(`${node.ordinal} of ${total}`);
  return labels.join(', ');
}

/** Duration of a step so far, with its items and attempts. */
export function CardTime({ appearance }: { readonly appearance: StepAppearance }) {
  const { startedAt, finishedAt, status } = appearance;
  const since = status === 'running' && startedAt !== undefined ? Date.parse(startedAt) : undefined;
  const elapsed = useElapsed(since);
  if (startedAt === undefined) return null;
  return (
    <span className={styles.time}>
      {appearance.items !== undefined && <span className={styles.items}>{appearance.items}</span>}
      {appearance.attempts > 1 && <span className={styles.attempt}>{appearance.attempts}×</span>}
      {since === undefined
        ? formatDuration(finishedAt === undefined ? 0 : getSpan(startedAt, finishedAt, 0))
        : formatElapsed(elapsed)}
    </span>
  );
}

/** Texts on the card of a step, in any graph. */
export interface CardText {
  readonly kind: ActionKind;
  readonly name: string;
  /** The action of the step, on one line. */
  readonly detail: string;
  /** Whether that line is prose and not a command. */
  readonly isProse: boolean;
}

interface CardBodyProps {
  readonly node: CardText;
  readonly appearance: StepAppearance | undefined;
  /** Shown after the name, before the status. */
  readonly mark?: ReactNode;
  /** Shown at the end of the action line. */
  readonly end?: ReactNode;
  /** Additional class of that line. */
  readonly detailLine?: string | undefined;
}

/** The readable content of a card: icon, name, status and action. */
export function CardBody({ node, appearance, mark, end, detailLine }: CardBodyProps) {
  const Icon = stepIcons[node.kind];
  return (
    <>
      <span className={styles.icon}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className={styles.cardText} aria-hidden="true">
        <span className={styles.cardLine}>
          <span className={styles.name} dir="auto">
            {node.name}
          </span>
          {mark}
          {appearance && <StatusShape status={appearance.status} size={16} />}
        </span>
        <span className={detailLine === undefined ? styles.cardLine : `${styles.cardLine} ${detailLine}`}>
          {appearance?.asks === true ? (
            <span className={styles.asks}>
              <Hand size={12} aria-hidden="true" />
              {askingLabels}
            </span>
          ) : (
            <span className={styles.detail} data-prose={node.isProse || undefined} dir="auto">
              {node.detail}
            </span>
          )}
          {/* The text needs the room; the wait time is shown with the approval. */}
          {appearance?.asks !== true && end}
        </span>
      </span>
    </>
  );
}
