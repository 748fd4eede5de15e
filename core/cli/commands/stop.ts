import type { EngineHost } from '../../api/engine-host.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import { isFinal } from '../../model/status.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';
import { findRun, findRunNames } from '../find-run.ts';

export interface StopInput {
  readonly dag: string;
  readonly runId?: string;
  /** Return only when the run has ended. */
  readonly wait: boolean;
  readonly format: OutputFormat;
}

/** Asks the host that drives a run, this process or another, to stop it in order. */
export function runStop(context: CommandContext, input: StopInput): Promise<number> {
  return withHost(context, async (host) => {
    const run = await findActiveRun(context, host, input);
    await host.api.call('runs.stop', { name: run.name, dagRunId: run.dagRunId }, context.caller);
    const { name, dagRunId, status } = input.wait ? await host.waitForEnd(run) : run;
    const done = isFinal(status) ? status : 'is stopping';
    if (input.format === 'json') await printJson(context, { name, dagRunId, status });
    else await printLines(context, [`run ${dagRunId} of ${name} ${done}`]);
    return exitCodes.success;
  });
}

/** The run named, or the newest active one: a later run may have ended already while an earlier one goes on. */
async function findActiveRun(
  context: CommandContext,
  host: EngineHost,
  input: StopInput,
): Promise<RunDetailView> {
  const { api } = host;
  if (input.runId === undefined) {
    for (const name of findRunNames(input.dag, context)) {
      const { dagRuns } = await api.call(
        'runs.list',
        { name, status: ['running', 'queued', 'not_started'], limit: 1 },
        context.caller,
      );
      const [active] = dagRuns;
      if (active !== undefined)
        return api.call('runs.get', { name, dagRunId: active.dagRunId }, context.caller);
    }
  }
  const run = await findRun(api, context.caller, { dag: input.dag, dagRunId: input.runId }, context);
  if (isFinal(run.status)) {
    throw new AppError(
      'not_running',
      `no run of ${run.name} is active; the newest, ${run.dagRunId}, ${run.status}`,
    );
  }
  return run;
}
