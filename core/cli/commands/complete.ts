import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { findHomePaths } from '../home-locations.ts';
import { type CommandContext, printLines } from '../command-context.ts';
import type { Candidate, Candidates, TypedLine } from '../completion/candidates.ts';
import type { EngineClient } from '../host/host-api.ts';
import { oneLine } from '../report/plain-text.ts';

export interface CompleteInput {
  readonly line: Pick<TypedLine, 'operands' | 'last' | 'prefix'>;
  readonly candidates: Candidates;
}

/** Maximum number of run ids to suggest. */
const maxRuns = 50;

/**
 * Prints candidates for the last word, one per line, with a description after a tab. Errors are ignored, because a
 * shell cannot show them.
 */
export async function runComplete(
  context: CommandContext,
  { line, candidates }: CompleteInput,
): Promise<number> {
  const found = [...candidates.words, ...(await listCandidatesOf(context, line, candidates.also))];
  const fitting = found.filter(({ word }) => word.startsWith(line.last));
  const lines = fitting.map(
    ({ word, meaning }) => line.prefix + (meaning === undefined ? word : `${word}\t${meaning}`),
  );
  const isFile = candidates.also === 'files' || candidates.also === 'dags';
  await printLines(context, isFile ? [...lines, ':files'] : lines);
  return exitCodes.success;
}

async function listCandidatesOf(
  context: CommandContext,
  { operands }: CompleteInput['line'],
  what: Candidates['also'],
): Promise<Candidate[]> {
  try {
    if (what === 'dags') return (await listDagFiles(context)).map((word) => ({ word }));
    if (what === 'runs') return await ifHomeExists(context, (host) => listRuns(context, host, operands[0]));
    if (what === 'questions')
      return await ifHomeExists(context, (host) => listQuestions(context, host, operands[0]));
    if (what === 'queues') return await ifHomeExists(context, (host) => listQueues(context, host));
    return [];
  } catch {
    return [];
  }
}

/** Lists file names only; reading the files would be too slow during completion. */
async function listDagFiles(context: CommandContext): Promise<string[]> {
  if (context.server !== undefined) return ifHomeExists(context, (host) => host.workflows.fileNames());
  return readdirSync((await findHomePaths(context)).dags)
    .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
    .map((name) => path.parse(name).name);
}

/** Runs the lookup only if the home exists, because completion must not create one. */
async function ifHomeExists<Entry>(
  context: CommandContext,
  list: (host: EngineClient) => Promise<Entry[]>,
): Promise<Entry[]> {
  if (context.server === undefined && !existsSync((await findHomePaths(context)).database)) return [];
  const host = await context.openApi();
  try {
    return await list(host);
  } finally {
    await host.close();
  }
}

async function listRuns(
  { caller }: CommandContext,
  { api, workflows }: EngineClient,
  dag: string | undefined,
): Promise<Candidate[]> {
  const names = dag === undefined ? [undefined] : await workflows.runNames(dag);
  for (const name of names) {
    const filter = { limit: maxRuns, ...(name === undefined ? {} : { name }) };
    const { dagRuns } = await api.call('runs.list', filter, caller);
    if (dagRuns.length > 0)
      return dagRuns.map((run) => ({ word: run.dagRunId, meaning: `${run.name} ${run.status}` }));
  }
  return [];
}

/** Lists steps of a workflow's runs that wait for an answer. */
async function listQuestions(
  { caller }: CommandContext,
  { api, workflows }: EngineClient,
  dag = '',
): Promise<Candidate[]> {
  for (const name of await workflows.runNames(dag)) {
    const { approvals } = await api.call('approvals.list', { dag: name, decision: 'open' }, caller);
    if (approvals.length > 0)
      return approvals.map(({ step, question }) => ({ word: step, meaning: oneLine(question) }));
  }
  return [];
}

async function listQueues({ caller }: CommandContext, { api }: EngineClient): Promise<Candidate[]> {
  const { queues } = await api.call('queues.list', {}, caller);
  return queues.map(({ name, state }) => ({ word: name, meaning: state }));
}
