import type { AttemptView, RunDetailView, StepRunView } from '../../contract/runs/run-views.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text/nearest.ts';
import type { NodeId } from '../../model/run/run-event.ts';

export type StreamName = 'stdout' | 'stderr';

/** Address of one log file of a run. */
export interface LogRef {
  readonly name: string;
  readonly dagRunId: string;
  readonly step: string;
  readonly section: NodeId['section'];
  readonly attempt: number;
  /** Default: the log of the attempt itself. */
  readonly item?: number;
  readonly stream: StreamName;
}

/** Selection of logs. */
export interface LogChoice {
  /** Default: every step and handler. */
  readonly node?: NodeId;
  /** Default: every attempt. */
  readonly attempt?: number;
  /** Only this item of the node. */
  readonly item?: number;
  readonly streams: readonly StreamName[];
}

/** Returns the step or, if there is none, the handler with this name. Throws `not_found` with the nearest name. */
export function findNode(run: RunDetailView, name: string): NodeId {
  const nodes = [...run.steps, ...run.handlers];
  const found = nodes.find((node) => node.name === name);
  if (found !== undefined) return { section: found.section, name };
  const nearest = findNearest(
    name,
    nodes.map((node) => node.name),
  );
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no step named "${name}".`, {
    details: nearest === undefined ? { steps: nodes.map((node) => node.name) } : { nearest },
  });
}

/** Returns the existing logs, with attempts in start order. */
export function listLogs(run: RunDetailView, choice: LogChoice): LogRef[] {
  return [...run.steps, ...run.handlers]
    .filter(({ section, name }) => isChosen(choice, { section, name }))
    .flatMap((step) => step.attempts.map((attempt) => ({ step, attempt })))
    .filter(({ attempt }) => choice.attempt === undefined || attempt.attempt === choice.attempt)
    .sort(byStart)
    .flatMap(({ step, attempt }) => addressesOf(run, step, attempt.attempt, choice));
}

/** Whether a step or handler is selected. */
export const isChosen = ({ node }: LogChoice, { section, name }: NodeId): boolean =>
  node === undefined || (node.section === section && node.name === name);

/** Returns the logs of an attempt, or of its selected item. */
export const addressesOf = (
  run: { readonly name: string; readonly dagRunId: string },
  node: NodeId,
  attempt: number,
  { item, streams }: Pick<LogChoice, 'item' | 'streams'>,
): LogRef[] =>
  streams.map((stream) => ({
    name: run.name,
    dagRunId: run.dagRunId,
    step: node.name,
    section: node.section,
    attempt,
    ...(item === undefined ? {} : { item }),
    stream,
  }));

interface StartedAttempt {
  readonly step: StepRunView;
  readonly attempt: AttemptView;
}

function byStart(left: StartedAttempt, right: StartedAttempt): number {
  return Date.parse(left.attempt.startedAt) - Date.parse(right.attempt.startedAt);
}
