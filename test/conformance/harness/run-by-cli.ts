import { basename, join } from 'node:path';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { runIdOf, type ConformanceCase } from './case-format.ts';
import type { CaseResult, Problem } from './case-result.ts';
import {
  isRefusal,
  readJson,
  runCommand,
  toCaseResult,
  type CliAttempt,
  type StartReply,
} from './cli-attempt.ts';
import type { CommandOutcome } from './engine-command.ts';
import { makeGround, placeBase, placeFiles, removeGround } from './place-case.ts';
import { toProblems } from './problems.ts';
import { restartByCli, runAgainByCli } from './rerun-by-cli.ts';
import { waitForFile } from './wait-for-file.ts';

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

async function start(attempt: CliAttempt): Promise<CaseResult> {
  const { item } = attempt;
  const [outcome, , restarted] = await Promise.all([
    runCommand(attempt, ['start', '--format', 'json', ...startWords(attempt)]),
    stopInTime(attempt),
    restartByCli(attempt),
  ]);
  const result = toCaseResult(attempt, outcome);
  if (result.kind !== 'ran') return result;
  return {
    ...result,
    ...('warnings' in item.expect ? { warnings: await listWarnings(attempt) } : {}),
    ...(item.afterwards === undefined
      ? {}
      : { afterwards: [...restarted, ...(await runAgainByCli(attempt))] }),
  };
}

/** Another process asks for the stop, as a person would. */
async function stopInTime(attempt: CliAttempt): Promise<void> {
  const { item, ground, file, signal } = attempt;
  if (item.stopWhen === undefined) return;
  await waitForFile(join(ground.dags, item.stopWhen), signal);
  const { code, stderr } = await runCommand(attempt, ['stop', file, '--run-id', runIdOf(item)]);
  if (code !== 0) throw new Error(`engine stop: exit ${code}: ${stderr}`);
}

function startWords({ item, ground, file }: CliAttempt): string[] {
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
