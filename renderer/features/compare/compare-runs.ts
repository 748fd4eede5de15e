import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { getSpan } from '../../format/time.ts';

/** A step in two runs. */
export interface ComparedStep {
  readonly section: 'step' | 'handler';
  readonly name: string;
  /** Absent if the workflow of that run has no such step. */
  readonly left: StepRunView | undefined;
  readonly right: StepRunView | undefined;
  /** Milliseconds from the first attempt to the end; absent if it has not started or not finished. */
  readonly leftSpan: number | undefined;
  readonly rightSpan: number | undefined;
  /** How much longer it took in the right run, in milliseconds. */
  readonly delta: number | undefined;
  /** The statuses differ, or only one run has the step. */
  readonly differs: boolean;
}

/** Compares the steps of two runs: in the order of the right run, then those that only the left run has. */
export function compareSteps(left: RunDetailView, right: RunDetailView): ComparedStep[] {
  const nodes = [right, left].flatMap(({ steps, handlers }) => [...steps, ...handlers]);
  const keys = [...new Set(nodes.map(getKey))];
  const [lefts, rights] = [left, right].map(
    ({ steps, handlers }) => new Map([...steps, ...handlers].map((step) => [getKey(step), step])),
  ) as [Map<string, StepRunView>, Map<string, StepRunView>];
  return keys.map((key) => {
    const [one, other] = [lefts.get(key), rights.get(key)];
    const { section, name } = (other ?? one)!;
    const [leftSpan, rightSpan] = [one && getStepSpan(one), other && getStepSpan(other)];
    const delta = leftSpan === undefined || rightSpan === undefined ? undefined : rightSpan - leftSpan;
    const differs = one?.status !== other?.status || one?.exitCode !== other?.exitCode;
    return { section, name, left: one, right: other, leftSpan, rightSpan, delta, differs };
  });
}

const getKey = ({ section, name }: StepRunView): string => `${section}:${name}`;

const getStepSpan = ({ startedAt, finishedAt }: StepRunView): number | undefined =>
  startedAt === undefined || finishedAt === undefined ? undefined : getSpan(startedAt, finishedAt, 0);

/** A named value in two runs. */
export interface ComparedValue {
  readonly name: string;
  readonly left: unknown;
  readonly right: unknown;
  readonly differs: boolean;
}

/** Compares named values of two runs: in the order of the right run, then those that only the left run has. */
export function compareValues(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): ComparedValue[] {
  const names = [...new Set([...Object.keys(right), ...Object.keys(left)])];
  return names.map((name) => ({
    name,
    left: left[name],
    right: right[name],
    differs: JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  }));
}

/** Returns the parameters by name. */
export const getParams = ({ params }: Pick<RunDetailView, 'params'>): Record<string, string> =>
  Object.fromEntries(params.map(({ name, value }) => [name, value]));

/**
 * Formats a change in duration: `+32%`, `−5%`, `3.1×` from a factor of three, `12×` from ten. Empty if the
 * earlier duration is zero.
 */
export function formatDelta(before: number, after: number): string {
  if (before <= 0) return '';
  const factor = after / before;
  if (factor >= 9.95) return `${Math.round(factor).toLocaleString('en')}×`;
  if (factor >= 3) return `${factor.toFixed(1)}×`;
  const percent = Math.round((factor - 1) * 100);
  if (percent === 0) return '±0%';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`;
}
