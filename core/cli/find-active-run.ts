import type { EngineHost } from '../api/engine-host.ts';
import { AppError } from '../base/errors.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import { activeRunStatuses, isFinal } from '../model/status.ts';
import type { CommandContext } from './command-context.ts';
import { findRun, findRunNames } from './find-run.ts';

/**
 * The run named, or the newest active one: a later run may have ended already while an earlier one goes on.
 * Throws `not_found`, or `not_running` when it has ended.
 */
export async function findActiveRun(
  context: CommandContext,
  { api }: EngineHost,
  wish: { readonly dag: string; readonly runId?: string },
): Promise<RunDetailView> {
  if (wish.runId === undefined) {
    for (const name of findRunNames(wish.dag, context)) {
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
  const run = await findRun(api, context.caller, { dag: wish.dag, dagRunId: wish.runId }, context);
  if (isFinal(run.status)) {
    throw new AppError(
      'not_running',
      wish.runId === undefined
        ? `no run of ${run.name} is active; the newest, ${run.dagRunId}, ${run.status}`
        : `the run ${run.dagRunId} of ${run.name} is not active; it ${run.status}`,
    );
  }
  return run;
}
