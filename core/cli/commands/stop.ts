import type { EngineHost } from '../../api/engine-host.ts';
import { exitCodes } from '../../base/error-codes.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import { isFinal } from '../../model/status.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { findActiveRun } from '../find-active-run.ts';

export interface StopInput {
  readonly dag: string;
  readonly runId?: string;
  /** Return only when the run has ended. */
  readonly wait: boolean;
  readonly format: OutputFormat;
}

/** One that waited in a queue has ended by now. */
function findState(
  { caller }: CommandContext,
  host: EngineHost,
  run: RunDetailView,
  isAwaited: boolean,
): Promise<RunDetailView> {
  if (isAwaited) return host.waitForEnd(run);
  return run.status === 'queued' ? host.api.call('runs.get', run, caller) : Promise.resolve(run);
}

/** Asks the host that drives a run, this process or another, to stop it in order. */
export function runStop(context: CommandContext, input: StopInput): Promise<number> {
  return withHost(context, async (host) => {
    const run = await findActiveRun(context, host, input);
    await host.api.call('runs.stop', { name: run.name, dagRunId: run.dagRunId }, context.caller);
    const { name, dagRunId, status } = await findState(context, host, run, input.wait);
    const done = isFinal(status) ? status : 'is stopping';
    if (input.format === 'json') await printJson(context, { name, dagRunId, status });
    else await printLines(context, [`run ${dagRunId} of ${name} ${done}`]);
    return exitCodes.success;
  });
}
