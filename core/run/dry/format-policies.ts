import type { ContinueOn, RepeatPolicy, Step } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import { formatLabels, type WorkerSelector, isApproval } from '../../model/workflow-rules.ts';

/** A retry policy whose numbers may not be known yet. */
export interface RetrySummary extends Omit<NonNullable<Step['retry']>, 'limit' | 'intervalSec'> {
  readonly limit: string;
  readonly intervalSec: string;
}

const number = (value: number): string => value.toLocaleString('en-US');
const list = (values: readonly (number | string)[]): string => values.join(', ');

/** Describes the rules around a step's attempts, one sentence each. */
export function formatStepRules(
  step: Step,
  retry: RetrySummary | undefined,
  selector: WorkerSelector | undefined,
): string[] {
  const { timeoutSec = 0, signalOnStop, terminal, inputFiles = [], outputFiles = [] } = step;
  return [
    ...(isApproval(step.action) ? ['Waits for approval.'] : []),
    ...(selector === undefined ? [] : [`Runs on a worker with ${formatLabels(selector)}.`]),
    ...(inputFiles.length === 0 ? [] : [`Input artifacts: ${list(inputFiles)}.`]),
    ...(outputFiles.length === 0 ? [] : [`Output artifacts: ${list(outputFiles)}.`]),
    ...(terminal === undefined
      ? []
      : [`Runs in a terminal with ${terminal.columns} columns and ${terminal.rows} rows.`]),
    ...(retry === undefined ? [] : [formatRetry(retry)]),
    ...(step.repeat === undefined ? [] : [formatRepeat(step.repeat)]),
    ...(timeoutSec > 0 ? [`Timeout: ${number(timeoutSec)} s.`] : []),
    ...formatContinueOn(step.continueOn),
    ...(signalOnStop === undefined ? [] : [`Stop signal: ${signalOnStop}.`]),
  ];
}

function formatRetry({ limit, intervalSec, exitCodes, backoff, maxIntervalSec }: RetrySummary): string {
  const after = exitCodes.length === 0 ? 'on failure' : `on exit code ${list(exitCodes)}`;
  const times = limit === '1' ? 'once' : `up to ${limit} times`;
  return `Retried ${after}, ${times}, ${formatWait(intervalSec, backoff, maxIntervalSec)}.`;
}

function formatRepeat(policy: RepeatPolicy): string {
  const { mode, condition, expected, exitCodes, intervalSec, limit, backoff, maxIntervalSec } = policy;
  const value = expected === undefined ? 'succeeds' : `is "${expected}"`;
  const byCode = exitCodes.length > 0 ? `its exit code is ${list(exitCodes)}` : 'it succeeds';
  const trigger = condition === undefined ? byCode : `"${condition}" ${value}`;
  const max = limit === undefined ? '' : `, at most ${number(limit)} times in total`;
  return `Repeated ${mode} ${trigger}${max}, ${formatWait(number(intervalSec), backoff, maxIntervalSec)}.`;
}

function formatWait(interval: string, backoff: number, max: number | undefined): string {
  const growth = backoff === 1 ? '' : `, with backoff factor ${number(backoff)}`;
  const cap = max === undefined || backoff === 1 ? '' : `, at most ${number(max)} s`;
  return `every ${interval} s${growth}${cap}`;
}

function formatContinueOn({ failure, skipped, exitCodes, output, markSuccess }: ContinueOn): string[] {
  const conditions = [
    ...(failure ? ['it fails'] : []),
    ...(skipped ? ['it is skipped'] : []),
    ...(exitCodes.length > 0 ? [`its exit code is ${list(exitCodes)}`] : []),
    ...(output.length > 0 ? [`it fails and prints ${list(output.map((text) => `"${text}"`))}`] : []),
  ];
  if (conditions.length === 0) return [];
  const counts = markSuccess ? ', and the step counts as succeeded' : '';
  return [`Dependent steps continue if ${conditions.join(' or ')}${counts}.`];
}

/** Describes the limits of a whole run, one sentence each. */
export function formatRunRules({ timeoutSec = 0, maxActiveSteps, delaySec = 0 }: Workflow): string[] {
  return [
    ...(timeoutSec > 0 ? [`Timeout: ${number(timeoutSec)} s.`] : []),
    ...(maxActiveSteps > 0 ? [`At most ${number(maxActiveSteps)} steps in parallel.`] : []),
    ...(delaySec > 0 ? [`Delay of ${number(delaySec)} s between step starts.`] : []),
  ];
}
