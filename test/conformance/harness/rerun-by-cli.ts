import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import { type Rerun, newRunIdOf, runIdOf } from './cases.ts';
import { type CaseResult, writeTexts } from './case-result.ts';
import { readJson, runCommand, toCaseResult, type CliAttempt } from './cli-attempt.ts';
import { waitForFile } from './run-by-api.ts';

/** Another process restarts the active run, if the case says so. */
export async function restartByCli(attempt: CliAttempt): Promise<CaseResult[]> {
  const { item, ground, signal } = attempt;
  const file = item.afterwards?.[0]?.restartWhen;
  if (file === undefined) return [];
  await waitForFile(join(ground.dags, file), signal);
  const words = ['restart', '--format', 'json', '--run-id', runIdOf(item), dagNameOf(attempt)];
  return [toCaseResult(attempt, await runCommand(attempt, words))];
}

/** Results of the entries of `afterwards` that need a finished run. */
export async function runAgainByCli(attempt: CliAttempt): Promise<CaseResult[]> {
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
export const dagNameOf = ({ item, file }: CliAttempt): string => item.name ?? file;

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
