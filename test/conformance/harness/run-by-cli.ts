import { deepStrictEqual } from 'node:assert';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../../../core/base/errors.ts';
import type { DryRunView } from '../../../core/contract/dry.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import { type ConformanceCase, runIdOf, type Rerun, newRunIdOf, readCasesFor } from './cases.ts';
import {
  type CaseResult,
  type Problem,
  createCaseFolders,
  writeBaseConfig,
  writeCaseFiles,
  readFilesBelow,
  readNewFiles,
  removeCaseFolders,
  toProblems,
  writeTexts,
} from './case-result.ts';
import {
  isRefusal,
  readJson,
  runCommand,
  toCaseResult,
  type CliAttempt,
  type StartReply,
  type CommandOutcome,
} from './engine-command.ts';
import { waitForFile } from './run-by-api.ts';
import { compare } from './compare.ts';

/** Runs a case through the built `engine` command, in its own home. */
async function runByCli(item: ConformanceCase, signal: AbortSignal): Promise<CaseResult> {
  const ground = createCaseFolders();
  try {
    writeBaseConfig(item, ground);
    const attempt = { item, ground, file: writeCaseFiles(item, ground), signal };
    if ('accepted' in item.expect) return await accept(attempt);
    if ('runnable' in item.expect) return await dryRun(attempt);
    if ('rejected' in item.expect) return await reject(attempt);
    return await start(attempt);
  } finally {
    removeCaseFolders(ground);
  }
}

async function start(attempt: CliAttempt): Promise<CaseResult> {
  const { item } = attempt;
  const [outcome, , restarted] = await Promise.all([
    runCommand(attempt, ['start', '--format', 'json', ...startArgs(attempt)]),
    stopInTime(attempt),
    restartByCli(attempt),
  ]);
  const result = toCaseResult(attempt, await tellAll(attempt, outcome));
  if (result.kind !== 'ran') return result;
  return {
    ...result,
    ...('warnings' in item.expect ? { warnings: await listWarnings(attempt) } : {}),
    ...(item.afterwards === undefined
      ? {}
      : { afterwards: [...restarted, ...(await runAgainByCli(attempt))] }),
  };
}

/** For a queued run, a start reports only that and why; `engine status` has the rest. */
async function tellAll(attempt: CliAttempt, outcome: CommandOutcome): Promise<CommandOutcome> {
  if ((readJson(outcome) as { status?: string }).status !== 'queued') return outcome;
  const words = ['status', '--format', 'json', '--run-id', runIdOf(attempt.item), dagNameOf(attempt)];
  return { ...(await runCommand(attempt, words)), code: outcome.code };
}

/** The home of a dry run is only read. */
async function dryRun(attempt: CliAttempt): Promise<CaseResult> {
  const { item, ground, file } = attempt;
  const { params, name, runSubstitutions } = item;
  const [homeBefore, before] = [readdirSync(ground.home), readFilesBelow(ground.dags)];
  const outcome = await runCommand(attempt, [
    ...['dry', '--format', 'json'],
    ...(name === undefined ? [] : ['--name', name]),
    ...(runSubstitutions === true ? ['--run-substitutions'] : []),
    ...paramArgs(file, params),
  ]);
  deepStrictEqual(readdirSync(ground.home), homeBefore, 'the home after a dry run');
  const reply = readJson(outcome) as DryRunView | { error: ErrorBody };
  if ('error' in reply) return { kind: 'refused', ...reply.error };
  const newFiles = readNewFiles(ground.dags, before);
  const paths = { folder: ground.dags, home: ground.home, user: ground.user, runId: '' };
  return { kind: 'dry', view: reply, exit: outcome.code, paths, newFiles };
}

/** The workflow and its parameters in the form of the case. */
const paramArgs = (file: string, params: ConformanceCase['params']): string[] => [
  ...(typeof params === 'string' ? ['--params', params] : []),
  file,
  ...(Array.isArray(params) ? ['--', ...params] : []),
];

/** Another process stops the run, as a user would. */
async function stopInTime(attempt: CliAttempt): Promise<void> {
  const { item, ground, file, signal } = attempt;
  if (item.stopWhen === undefined) return;
  await waitForFile(join(ground.dags, item.stopWhen), signal);
  const { code, stderr } = await runCommand(attempt, ['stop', file, '--run-id', runIdOf(item)]);
  if (code !== 0) throw new Error(`engine stop: exit ${code}: ${stderr}`);
}

function startArgs({ item, ground, file }: CliAttempt): string[] {
  const { params, name, defaultWorkingDir } = item;
  return [
    ...['--run-id', runIdOf(item)],
    ...(name === undefined ? [] : ['--name', name]),
    ...(defaultWorkingDir === undefined
      ? []
      : ['--default-working-dir', `${ground.dags}/${defaultWorkingDir}`]),
    ...paramArgs(file, params),
  ];
}

async function reject(attempt: CliAttempt): Promise<CaseResult> {
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

async function accept(attempt: CliAttempt): Promise<CaseResult> {
  const outcome = await runCommand(attempt, ['validate', attempt.file]);
  if (outcome.code !== 0) throw new Error(`engine validate: exit ${outcome.code}: ${outcome.stderr}`);
  return { kind: 'accepted', warnings: readWarnings(outcome) };
}

const listWarnings = async (attempt: CliAttempt): Promise<Problem[]> =>
  readWarnings(await runCommand(attempt, ['validate', attempt.file]));

/** As shown to users, lines on stderr. */
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

/** Another process restarts the active run, if the case says so. */
async function restartByCli(attempt: CliAttempt): Promise<CaseResult[]> {
  const { item, ground, signal } = attempt;
  const file = item.afterwards?.[0]?.restartWhen;
  if (file === undefined) return [];
  await waitForFile(join(ground.dags, file), signal);
  const words = ['restart', '--format', 'json', '--run-id', runIdOf(item), dagNameOf(attempt)];
  return [toCaseResult(attempt, await runCommand(attempt, words))];
}

/** Results of the entries of `afterwards` that need a finished run. */
async function runAgainByCli(attempt: CliAttempt): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const [index, rerun] of (attempt.item.afterwards ?? []).entries()) {
    if (rerun.restartWhen !== undefined) continue;
    writeTexts(rerun.files, attempt.ground.dags);
    results.push(
      rerun.retry === undefined ? await startAgain(attempt, rerun, index) : await retry(attempt, rerun.retry),
    );
  }
  return results;
}

/** Identifies the run on the command line. */
const dagNameOf = ({ item, file }: CliAttempt): string => item.name ?? file;

async function startAgain(
  attempt: CliAttempt,
  { startAgain: options }: Rerun,
  index: number,
): Promise<CaseResult> {
  const { item } = attempt;
  const ids = ['--from-run-id', runIdOf(item), '--run-id', newRunIdOf(item, index)];
  const name = options?.name === undefined ? [] : ['--name', options.name];
  const words = ['start', '--format', 'json', ...ids, ...name, dagNameOf(attempt)];
  return toCaseResult(attempt, await runCommand(attempt, words));
}

/** The actual plan must equal that of the dry run. */
async function retry(
  attempt: CliAttempt,
  { step, downstream }: NonNullable<Rerun['retry']>,
): Promise<CaseResult> {
  const words = [
    ...['retry', '--format', 'json', '--run-id', runIdOf(attempt.item), dagNameOf(attempt)],
    ...(step === undefined ? [] : ['--step', step]),
    ...(downstream === true ? ['--downstream'] : []),
  ];
  const preview = readJson(await runCommand(attempt, [...words, '--dry-run'])) as { plan?: RerunPlanView };
  const result = toCaseResult(attempt, await runCommand(attempt, words));
  if (result.kind === 'ran') deepStrictEqual(result.plan, preview.plan, 'the plan of retry --dry-run');
  return result;
}

/**
 * Defines a test for each case of the topics from `first` to before `end`. Topics are split into several
 * files, which run in parallel.
 */
export function testByCli(first: string, end: string): void {
  describe.concurrent('conformance through the command line', () => {
    for (const item of readCasesFor('cli').filter(({ topic }) => topic >= first && topic < end)) {
      it(`${item.title} (cli)`, async ({ signal }) => {
        const differences = compare(item, await runByCli(item, signal));
        expect(differences.join('\n')).toBe('');
      });
    }
  });
}
