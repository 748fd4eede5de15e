import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { attemptFiles, type RunDetail, type StepRecord, isFinal, type StepStatus } from '../../model/run.ts';
import type { Step } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import { evaluateFailure, evaluateSkip, needsOutput } from '../../spec/plan/policies.ts';
import type { StepOutcome } from '../../spec/plan/plan.ts';
import type { RerunOptions } from '../../spec/plan/rerun.ts';
import { readPreviousItems, type PreviousItemsInput, type PreviousRun } from './previous-run.ts';
import type { NodeResult } from '../steps/node-task.ts';
import { matchesStdout } from '../values/outputs.ts';

/** Returns the status of each step of a run, by name. */
export const getStepStates = ({ steps }: RunDetail): ReadonlyMap<string, StepStatus> =>
  new Map(getRecords(steps).map(({ node, status }) => [node.name, status]));

const getRecords = (steps: readonly StepRecord[]): StepRecord[] =>
  steps.filter(({ node }) => node.section === 'step');

/** An ended run, and the steps to run again. */
export interface RerunInput {
  readonly detail: RunDetail;
  readonly workflow: Workflow;
  /** Absolute path of the home. */
  readonly home: string;
  readonly options: RerunOptions;
  /** Names of the steps that run again. */
  readonly rerunSteps: readonly string[];
  /** Whether it resumes with the current file. */
  readonly usesFile: boolean;
  /** Steps whose earlier items do not count. */
  readonly fresh: ReadonlySet<string>;
  readonly store: PreviousItemsInput['store'];
  readonly clock: Clock;
}

/**
 * Reads the earlier state of a run that is retried. Reads the logs of steps that keep their results if their
 * `continueOn` checks the output.
 */
export async function readPreviousRun({
  detail,
  workflow,
  home,
  options,
  rerunSteps,
  usesFile,
  fresh,
  store,
  clock,
}: RerunInput): Promise<PreviousRun> {
  const runDir = path.resolve(home, detail.run.logDir);
  return {
    reusedResults: await readResults(
      { records: getRecords(detail.steps), steps: workflow.steps, runDir, clock },
      new Set(rerunSteps),
    ),
    // When a step is requested by name, all of its items run again.
    items:
      options.step === undefined
        ? await readPreviousItems({
            store,
            detail,
            runDir,
            workflow,
            rerunSteps: rerunSteps.filter((name) => !fresh.has(name)),
          })
        : new Map(),
    attempts: newestAttempts(detail.steps),
    from: options.step,
    usesFile,
    onlyThisStep: options.step !== undefined && options.downstream !== true,
  };
}

/** Records of nodes, and the steps behind them. */
export interface RerunRecords {
  readonly records: readonly StepRecord[];
  readonly steps: readonly Step[];
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly clock: Clock;
}

/** Reads the results of nodes, by the names of their steps, without the steps that run again. */
export async function readResults(
  { records, steps, runDir, clock }: RerunRecords,
  rerunSteps: ReadonlySet<string> = new Set(),
): Promise<Map<string, NodeResult>> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const results = new Map<string, NodeResult>();
  for (const record of records) {
    const step = byName.get(record.node.name);
    if (step === undefined || rerunSteps.has(step.name) || !isEnd(record.status)) continue;
    results.set(step.name, await readResult(step, record.status, record, { runDir, clock }));
  }
  return results;
}

const isEnd = (status: StepStatus): status is StepOutcome['status'] => isFinal(status);

async function readResult(
  step: Step,
  status: StepOutcome['status'],
  record: StepRecord,
  context: Pick<RerunRecords, 'runDir' | 'clock'>,
): Promise<NodeResult> {
  return {
    status,
    tolerated: await isTolerated(step, record, context),
    attempt: record.attempts.at(-1)?.attempt,
    exitCode: record.exitCode,
    error: record.error,
    output: record.output,
  };
}

/** Whether the step's dependents run after its failure. A deleted log does not match. */
async function isTolerated(
  step: Step,
  record: StepRecord,
  { runDir, clock }: Pick<RerunRecords, 'runDir' | 'clock'>,
): Promise<boolean> {
  if (record.status === 'skipped') return evaluateSkip(step.continueOn) !== 'stop';
  if (record.status !== 'failed') return false;
  const { exitCode, attempts } = record;
  const dir = attempts.at(-1)?.dir;
  const outputMatches =
    dir !== undefined &&
    needsOutput(step.continueOn, exitCode) &&
    (await matchesStdout(step, path.join(runDir, dir, attemptFiles.stdout), clock).catch(() => false));
  return evaluateFailure(step.continueOn, { exitCode, outputMatches }) !== 'stop';
}

/** Returns the number of each node's newest attempt, if it had one, by `section:name`. */
export function newestAttempts(steps: readonly StepRecord[]): Map<string, number> {
  const latest = steps.map(({ node, attempts }): [string, number] => [
    `${node.section}:${node.name}`,
    attempts.at(-1)?.attempt ?? 0,
  ]);
  return new Map(latest.filter(([, attempt]) => attempt > 0));
}
