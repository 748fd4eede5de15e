import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { activeRunStatuses, isFinal } from '../../model/run/status.ts';
import type { CommandContext } from '../command-context.ts';
import { findRun } from './find-run.ts';
import type { EngineClient } from '../host/host-api.ts';

/**
 * Returns the named run, or the newest active one, even if a later run has already ended. Throws `not_found`, or
 * `not_running` if the run has ended.
 */
export async function findActiveRun(
  context: CommandContext,
  host: EngineClient,
  options: { readonly dag: string; readonly runId?: string },
): Promise<RunDetailView> {
  const { api, workflows } = host;
  if (options.runId === undefined) {
    for (const name of await workflows.runNames(options.dag)) {
      const { dagRuns } = await api.call(
        'runs.list',
        { name, status: [...activeRunStatuses], limit: 1 },
        context.caller,
      );
      const [active] = dagRuns;
      if (active !== undefined)
        return api.call('runs.get', { name, dagRunId: active.dagRunId }, context.caller);
    }
  }
  const run = await findRun(context, host, { dag: options.dag, dagRunId: options.runId });
  if (isFinal(run.status)) {
    throw new AppError(
      'not_running',
      options.runId === undefined
        ? `No active run of ${run.name}. The latest run, ${run.dagRunId}, has status "${run.status}".`
        : `Run ${run.dagRunId} of ${run.name} is not active. Its status is "${run.status}".`,
    );
  }
  return run;
}
