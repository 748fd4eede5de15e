import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorBody } from '../../../core/base/errors.ts';
import type { RunJson, StepJson } from '../../../core/cli/run-report.ts';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import { engineArguments, runInProcess } from '../../harness/home-and-command.ts';
import {
  type CaseFolders,
  type CaseResult,
  type RunResult,
  type StepResult,
  readFilesBelow,
} from './case-result.ts';
import type { ConformanceCase } from './cases.ts';

/** Each workspace has its own user, for whom every command would compile the program again. */
const cache = mkdtempSync(join(tmpdir(), 'stepwright-conformance-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

/** Environment of an `engine` command under test. */
const environment = (
  { home, user }: CaseFolders,
  overrides: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: user,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  ENGINE_HOME: home,
  XDG_CACHE_HOME: cache,
  ...overrides,
});

/** Starts the built command in this workspace, with empty standard input. */
export function spawnEngine(
  ground: CaseFolders,
  words: readonly string[],
  overrides: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, engineArguments(words), {
    cwd: ground.cwd,
    env: environment(ground, overrides),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface CommandOutcome {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command to its end: in this process, or by the built command if another command runs concurrently;
 * the signal kills that one.
 */
async function runEngineCommand(
  command: {
    readonly ground: CaseFolders;
    readonly given?: Readonly<Record<string, string>>;
    readonly runsInParallel: boolean;
  },
  words: readonly string[],
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const { ground, given: overrides = {}, runsInParallel } = command;
  if (!runsInParallel) return runInProcess({ words, cwd: ground.cwd, env: environment(ground, overrides) });
  const child = spawnEngine(ground, words, overrides);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  signal.removeEventListener('abort', kill);
  return { code, stdout, stderr };
}

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
