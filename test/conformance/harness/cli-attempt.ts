import { existsSync, readFileSync } from 'node:fs';
import type { ErrorBody } from '../../../core/base/errors.ts';
import type { RunJson, StepJson } from '../../../core/cli/run-report.ts';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import type { ConformanceCase } from './cases.ts';
import {
  type CaseResult,
  type CaseFolders,
  type RunResult,
  type StepResult,
  readFilesBelow,
} from './case-result.ts';
import { runEngineCommand, type CommandOutcome } from './engine-command.ts';

/** A run, with a plan for a retry; or the error. */
export type StartReply = (RunJson & { plan?: RerunPlanView }) | { error: ErrorBody };

/** An active case on the command line: its location, and its abort signal. */
export interface CliAttempt {
  readonly item: ConformanceCase;
  readonly ground: CaseFolders;
  /** The workflow's path. */
  readonly file: string;
  readonly signal: AbortSignal;
}

export const runCommand = (
  { item, ground, signal }: CliAttempt,
  words: readonly string[],
): Promise<CommandOutcome> =>
  runEngineCommand({ ground, given: item.given, runsInParallel: needsSecondCommand(item) }, words, signal);

/** Whether a second command stops or restarts the active run. */
const needsSecondCommand = ({ stopWhen, afterwards }: ConformanceCase): boolean =>
  stopWhen !== undefined || afterwards?.[0]?.restartWhen !== undefined;

/** The result of a command that runs a workflow. */
export function toCaseResult({ ground }: CliAttempt, outcome: CommandOutcome): CaseResult {
  const reply = readJson(outcome) as StartReply;
  if (isRefusal(reply)) return { kind: 'refused', ...reply.error };
  const { plan, ...run } = reply;
  return {
    kind: 'ran',
    run: toRunResult(run),
    exit: outcome.code,
    ...(plan === undefined ? {} : { plan }),
    paths: { folder: ground.dags, home: ground.home, user: ground.user, runId: run.dagRunId },
    files: readFilesBelow(ground.dags),
  };
}

export function readJson({ code, stdout, stderr }: CommandOutcome): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`the command wrote no JSON (exit code ${code}): ${stdout}${stderr}`);
  }
}

export const isRefusal = (reply: StartReply): reply is { error: ErrorBody } =>
  typeof reply.error === 'object';

function toRunResult(run: RunJson): RunResult {
  return { ...run, steps: run.steps.map(toStepResult), handlers: run.handlers.map(toStepResult) };
}

function toStepResult({ subRuns = [], ...step }: StepJson): StepResult {
  return {
    ...step,
    stdout: readLog(step.stdoutFile),
    stderr: readLog(step.stderrFile),
    runs: subRuns.map((run) => toRunResult({ ...emptyRun, ...run })),
  };
}

/** Output of the command for a sub-run that was recorded and never created: its identity only. */
const emptyRun = { params: [], startedAt: null, finishedAt: null, outputs: {}, steps: [], handlers: [] };

const readLog = (file: string | null): string =>
  file !== null && existsSync(file) ? readFileSync(file, 'utf8') : '';
