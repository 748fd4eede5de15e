import type { OutputOf } from '../../../core/contract/operation.ts';
import type { operations } from '../../../core/contract/operations.ts';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import { accepted, isRefusal, type ApiServer } from './api-server.ts';
import type { RunResult, StepResult } from './case-result.ts';

type LogBytes = OutputOf<(typeof operations)['logs.bytes']>;

/** A run as the API shows it: detail, logs, and the runs its steps have started. */
export async function readRun(server: ApiServer, run: RunRef): Promise<RunResult> {
  const reply = await server.get<RunDetailView>(pathOf(run));
  if (isRefusal(reply) && reply.refusal.code === 'not_found') return neverCreated(run);
  const detail = accepted(reply);
  const readAll = (steps: readonly StepRunView[]): Promise<StepResult[]> =>
    Promise.all(steps.map((step) => readStep(server, run, step)));
  return {
    name: detail.name,
    dagRunId: detail.dagRunId,
    status: detail.status,
    ...(detail.error === undefined ? {} : { error: detail.error }),
    params: detail.params.map(({ name, value }) => `${name}=${value}`),
    outputs: detail.outputs,
    steps: await readAll(detail.steps),
    handlers: await readAll(detail.handlers),
  };
}

async function readStep(server: ApiServer, run: RunRef, step: StepRunView): Promise<StepResult> {
  const {
    name,
    status,
    exitCode = null,
    signal,
    error,
    attempts,
    startedAt = null,
    finishedAt = null,
  } = step;
  return {
    name,
    status,
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    attempts: attempts.length,
    ...(error === undefined ? {} : { error }),
    startedAt,
    finishedAt,
    stdout: await readLog(server, run, { step, stream: 'stdout' }),
    stderr: await readLog(server, run, { step, stream: 'stderr' }),
    runs: await Promise.all(step.subRuns.map((subRun) => readRun(server, subRun))),
  };
}

async function readLog(
  server: ApiServer,
  run: RunRef,
  { step, stream }: { readonly step: StepRunView; readonly stream: 'stdout' | 'stderr' },
): Promise<string> {
  if (step.attempts.length === 0) return '';
  const query = new URLSearchParams({ section: step.section, stream, length: '1048576' });
  const path = `${pathOf(run)}/steps/${encodeURIComponent(step.name)}/log/bytes?${query}`;
  const reply = await server.get<LogBytes>(path);
  // A step that never came to write has no log.
  if (isRefusal(reply) && reply.refusal.code === 'not_found') return '';
  return Buffer.from(accepted(reply).data, 'base64').toString('utf8');
}

const pathOf = ({ name, dagRunId }: RunRef): string => `/dag-runs/${name}/${dagRunId}`;

/** Recorded with its parent, which ended before it was created. */
const neverCreated = (run: RunRef): RunResult => ({
  ...run,
  status: 'not_started',
  params: [],
  outputs: {},
  steps: [],
  handlers: [],
});
