import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ErrorBody } from '../../../core/base/errors.ts';
import type { RunJson, StepJson } from '../../../core/cli/report/run-json.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { runIdOf, type ConformanceCase } from './case-format.ts';
import type { CaseResult, Problem, RunResult, StepResult } from './case-result.ts';
import { runEngineCommand, type CommandOutcome } from './engine-command.ts';
import { makeGround, placeBase, placeFiles, readFilesBelow, removeGround, type Ground } from './place-case.ts';
import { toProblems } from './problems.ts';
import { waitForFile } from './wait-for-file.ts';

/** A run that came about, or why it did not. */
type StartReply = RunJson | { error: ErrorBody };

/** A case under way: where it is, and when to give up. */
interface Attempt {
  readonly item: ConformanceCase;
  readonly ground: Ground;
  readonly file: string;
  readonly signal: AbortSignal;
}

/** Runs a case through the built `engine` command, in a home of its own. */
export async function runByCli(item: ConformanceCase, signal: AbortSignal): Promise<CaseResult> {
  const ground = makeGround();
  try {
    placeBase(item, ground);
    const attempt = { item, ground, file: placeFiles(item, ground), signal };
    if ('accepted' in item.expect) return await accept(attempt);
    if ('rejected' in item.expect) return await reject(attempt);
    return await start(attempt);
  } finally {
    removeGround(ground);
  }
}

async function start(attempt: Attempt): Promise<CaseResult> {
  const { item, ground } = attempt;
  const [outcome] = await Promise.all([
    runCommand(attempt, ['start', '--format', 'json', ...startWords(attempt)]),
    stopInTime(attempt),
  ]);
  const reply = readJson(outcome) as StartReply;
  if (isRefusal(reply)) return { kind: 'refused', ...reply.error };
  const runId = runIdOf(item);
  return {
    kind: 'ran',
    run: toRunResult(reply),
    exit: outcome.code,
    ...('warnings' in item.expect ? { warnings: await listWarnings(attempt) } : {}),
    places: { folder: ground.dags, home: ground.home, user: ground.user, runId },
    files: readFilesBelow(ground.dags),
  };
}

/** Another process asks for the stop, as a person would. */
async function stopInTime(attempt: Attempt): Promise<void> {
  const { item, ground, file, signal } = attempt;
  if (item.stopWhen === undefined) return;
  await waitForFile(join(ground.dags, item.stopWhen), signal);
  const { code, stderr } = await runCommand(attempt, ['stop', file, '--run-id', runIdOf(item)]);
  if (code !== 0) throw new Error(`engine stop: exit ${code}: ${stderr}`);
}

function startWords({ item, ground, file }: Attempt): string[] {
  const { params, name, defaultWorkingDir } = item;
  return [
    ...['--run-id', runIdOf(item)],
    ...(name === undefined ? [] : ['--name', name]),
    ...(defaultWorkingDir === undefined
      ? []
      : ['--default-working-dir', `${ground.dags}/${defaultWorkingDir}`]),
    ...(typeof params === 'string' ? ['--params', params] : []),
    file,
    ...(Array.isArray(params) ? ['--', ...params] : []),
  ];
}

async function reject(attempt: Attempt): Promise<CaseResult> {
  const validated = await runCommand(attempt, ['validate', '--format', 'json', attempt.file]);
  const { valid, errors } = readJson(validated) as { valid: boolean; errors: Diagnostic[] };
  if (valid) return accept(attempt);
  const started = await runCommand(attempt, ['start', '--format', 'json', attempt.file]);
  const reply = readJson(started) as StartReply;
  const listed = isRefusal(reply) ? reply.error.details?.['diagnostics'] : undefined;
  return {
    kind: 'rejected',
    validation: toProblems(errors),
    start: toProblems((listed ?? []) as unknown as Diagnostic[], 'error'),
    ...('warnings' in attempt.item.expect ? { warnings: await listWarnings(attempt) } : {}),
  };
}

async function accept(attempt: Attempt): Promise<CaseResult> {
  const outcome = await runCommand(attempt, ['validate', attempt.file]);
  if (outcome.code !== 0) throw new Error(`engine validate: exit ${outcome.code}: ${outcome.stderr}`);
  return { kind: 'accepted', warnings: readWarnings(outcome) };
}

const listWarnings = async (attempt: Attempt): Promise<Problem[]> =>
  readWarnings(await runCommand(attempt, ['validate', attempt.file]));

/** The JSON form of `engine validate` has errors only; warnings are lines on stderr. */
function readWarnings({ stderr }: CommandOutcome): Problem[] {
  const lines = stderr.matchAll(/^(\S+?):(\d+):(\d+): warning: (.*?)(?: \((\S+)\))?$/gm);
  return [...lines].map(([, file = '', line, column, message = '', field = '']) => ({
    file: basename(file),
    line: Number(line),
    column: Number(column),
    field,
    message,
  }));
}

const runCommand = ({ item, ground, signal }: Attempt, words: readonly string[]): Promise<CommandOutcome> =>
  runEngineCommand({ ground, given: item.given }, words, signal);

function readJson({ code, stdout, stderr }: CommandOutcome): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`the command wrote no JSON (exit code ${code}): ${stdout}${stderr}`);
  }
}

const isRefusal = (reply: StartReply): reply is { error: ErrorBody } => typeof reply.error === 'object';

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

/** What the command tells of a run that was recorded and never created: who it is, nothing else. */
const emptyRun = { params: [], startedAt: null, finishedAt: null, outputs: {}, steps: [], handlers: [] };

const readLog = (file: string | null): string =>
  file !== null && existsSync(file) ? readFileSync(file, 'utf8') : '';
