import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import type { RunDetailView } from '../../../contract/runs/run-views.ts';
import { activeRunStatuses, isFinal } from '../../../model/run/status.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { findActiveRun } from '../../arguments/find-active-run.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { readPages } from '../../read-pages.ts';

export interface StopInput {
  readonly dag: string;
  readonly runId?: string;
  /** All active and queued runs instead of one. */
  readonly all: boolean;
  /** Return only after the run has ended. */
  readonly wait: boolean;
  readonly format: OutputFormat;
}

/** Returns the state of a run. A queued run has ended by now. */
function findState(
  { caller }: CommandContext,
  host: EngineClient,
  run: StoppedRun,
  isAwaited: boolean,
): Promise<StoppedRun> {
  if (isAwaited) return host.waitForEnd(run);
  return run.status === 'queued'
    ? host.api.call('runs.get', { name: run.name, dagRunId: run.dagRunId }, caller)
    : Promise.resolve(run);
}

/** Asks the process that drives a run to stop it gracefully. */
export function runStop(context: CommandContext, input: StopInput): Promise<number> {
  if (input.all && input.runId !== undefined)
    throw new AppError('bad_request', 'Options --all and --run-id cannot be used together.');
  return withHost(context, async (host) => {
    if (input.all) return stopAll(context, host, input);
    const run = await findActiveRun(context, host, input);
    const { name, dagRunId, status } = await stopOne(context, host, run, input.wait);
    if (input.format === 'json') await printJson(context, { name, dagRunId, status });
    else await printLines(context, [describe({ name, dagRunId, status })]);
    return exitCodes.success;
  });
}

type StoppedRun = Pick<RunDetailView, 'name' | 'dagRunId' | 'status'>;

const describe = ({ name, dagRunId, status }: StoppedRun): string =>
  `Run ${dagRunId} of ${name}: ${isFinal(status) ? status : 'stopping'}`;

async function stopOne(
  context: CommandContext,
  host: EngineClient,
  { name, dagRunId, status }: StoppedRun,
  isAwaited: boolean,
): Promise<StoppedRun> {
  await host.api.call('runs.stop', { name, dagRunId }, context.caller);
  return findState(context, host, { name, dagRunId, status }, isAwaited);
}

/** Stops all active and queued runs. Succeeds if there are none. */
async function stopAll(context: CommandContext, host: EngineClient, input: StopInput): Promise<number> {
  const { caller } = context;
  const stopped: StoppedRun[] = [];
  for (const name of await host.workflows.runNames(input.dag)) {
    const active = await readPages(async (page) => {
      const filter = { name, status: [...activeRunStatuses], ...page };
      const { dagRuns, nextCursor } = await host.api.call('runs.list', filter, caller);
      return { entries: dagRuns, nextCursor };
    });
    for (const run of active) stopped.push(...(await tryStop(context, host, run)));
  }
  const ended = await Promise.all(stopped.map((run) => findState(context, host, run, input.wait)));
  if (input.format === 'json')
    await printJson(context, {
      dagRuns: ended.map(({ name, dagRunId, status }) => ({ name, dagRunId, status })),
    });
  else
    await printLines(context, ended.length === 0 ? [`No active runs of ${input.dag}.`] : ended.map(describe));
  return exitCodes.success;
}

/** Stops a run. Ignores a run that has just ended. */
async function tryStop(
  { caller }: CommandContext,
  { api }: EngineClient,
  { name, dagRunId, status }: StoppedRun,
): Promise<StoppedRun[]> {
  try {
    await api.call('runs.stop', { name, dagRunId }, caller);
    return [{ name, dagRunId, status }];
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_running') return [];
    throw error;
  }
}
