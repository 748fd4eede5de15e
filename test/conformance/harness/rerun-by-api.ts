import { join } from 'node:path';
import { deepStrictEqual } from 'node:assert';
import type { OutputOf } from '../../../core/contract/operation.ts';
import type { operations } from '../../../core/contract/operations.ts';
import type { RerunPlanView } from '../../../core/contract/runs/reruns.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import { isRefusal, type ApiRefusal, type ApiServer } from './api-server.ts';
import { newRunIdOf, type ConformanceCase } from './case-format.ts';
import type { CaseResult, RanResult } from './case-result.ts';
import { placeTexts, readFilesBelow, type Ground } from './place-case.ts';
import { readRun } from './read-run.ts';
import type { Rerun } from './rerun-format.ts';
import { waitForFile } from './wait-for-file.ts';

/** A case whose run has been started through the API. */
export interface ApiAttempt {
  readonly item: ConformanceCase;
  readonly bench: { readonly server: ApiServer; readonly ground: Ground };
  /** The workflow's folder. */
  readonly folder: string;
  readonly run: RunRef;
  readonly signal: AbortSignal;
}

/** A run that has ended, or waits. */
export async function describeEnded({ bench, folder }: ApiAttempt, run: RunRef): Promise<RanResult> {
  const { server, ground } = bench;
  return {
    kind: 'ran',
    run: await readRun(server, run),
    places: { folder, home: ground.home, user: ground.user, runId: run.dagRunId },
    files: readFilesBelow(folder),
  };
}

/** Restarts the run while it goes on, when the case says so. */
export async function restartByApi(attempt: ApiAttempt): Promise<CaseResult[]> {
  const { item, bench, folder, run, signal } = attempt;
  const file = item.afterwards?.[0]?.restartWhen;
  if (file === undefined) return [];
  await waitForFile(join(folder, file), signal);
  return [await awaitRun(attempt, await bench.server.post<RunRef>(`${pathOf(run)}/restart`, {}), '0')];
}

/** What comes of the entries of `afterwards` that need an ended run. */
export async function runAgainByApi(attempt: ApiAttempt): Promise<CaseResult[]> {
  const { item, bench, folder, run } = attempt;
  const results: CaseResult[] = [];
  for (const [index, rerun] of (item.afterwards ?? []).entries()) {
    if (rerun.restartWhen !== undefined) continue;
    placeTexts(rerun.files, folder);
    if (rerun.retry !== undefined) results.push(await retry(attempt, rerun.retry));
    else {
      const { name } = rerun.startAgain!;
      const wish = { dagRunId: newRunIdOf(item, index), ...(name === undefined ? {} : { dagName: name }) };
      const reply = await bench.server.post<RunRef>(`${pathOf(run)}/reschedule`, wish);
      results.push(await awaitRun(attempt, reply, '0'));
    }
  }
  return results;
}

/** What had been said beforehand must be what is done. */
async function retry(
  attempt: ApiAttempt,
  { step, downstream }: NonNullable<Rerun['retry']>,
): Promise<CaseResult> {
  const { server } = attempt.bench;
  const { run } = attempt;
  const wish = {
    ...(step === undefined ? {} : { stepName: step }),
    ...(downstream === undefined ? {} : { downstream }),
  };
  const query = new URLSearchParams(Object.entries(wish).map(([key, value]) => [key, String(value)]));
  const said = await server.get<RerunPlanView>(`${pathOf(run)}/retry-plan?${query}`);
  const before = await lastEvent(server, run);
  const reply = await server.post<RunRef & { plan: RerunPlanView }>(`${pathOf(run)}/retry`, wish);
  const result = await awaitRun(attempt, reply, before);
  if (isRefusal(reply) || result.kind !== 'ran') return result;
  deepStrictEqual(reply.plan, said, 'the plan of retry-plan');
  return { ...result, plan: reply.plan };
}

async function lastEvent(server: ApiServer, run: RunRef): Promise<string> {
  const detail = await server.get<OutputOf<(typeof operations)['runs.get']>>(pathOf(run));
  return isRefusal(detail) ? '0' : String(detail.lastEventId);
}

/** @param after the event after which the run's end is to be waited for */
async function awaitRun(attempt: ApiAttempt, reply: RunRef | ApiRefusal, after: string): Promise<CaseResult> {
  if (isRefusal(reply)) return { kind: 'refused', ...reply.refusal };
  const { name, dagRunId } = reply;
  await attempt.bench.server.waitForEnd({ name, dagRunId }, attempt.signal, after);
  return describeEnded(attempt, { name, dagRunId });
}

const pathOf = ({ name, dagRunId }: RunRef): string => `/dag-runs/${name}/${dagRunId}`;
