import type { Caller, EngineApi } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text/nearest.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { CommandContext } from '../command-context.ts';
import type { EngineClient } from '../host/host-api.ts';

/** Selects a run. */
export interface RunSelector {
  /** A workflow file, its name, or the name of the runs (`--name`, or of a deleted file). */
  readonly dag: string;
  /** Default: the newest run. */
  readonly dagRunId?: string;
}

/**
 * Returns the run of `DAG [--run-id ID]`. The argument is a file, whose workflow name the runs have, or a run name; a
 * file wins if both have runs. Throws `not_found`.
 */
export async function findRun(
  { caller }: Pick<CommandContext, 'caller'>,
  { api, workflows }: Pick<EngineClient, 'api' | 'workflows'>,
  options: RunSelector,
): Promise<RunDetailView> {
  const names = await workflows.runNames(options.dag);
  const dagRunId = options.dagRunId ?? 'latest';
  for (const name of names) {
    const run = await tryGetRun(api, caller, name, dagRunId);
    if (run !== undefined) return run;
  }
  const wanted = names[0] ?? options.dag;
  if (options.dagRunId !== undefined)
    throw new AppError('not_found', `Run ${options.dagRunId} of ${wanted} not found.`);
  if ((await workflows.tryFind(options.dag)) !== undefined)
    throw new AppError('not_found', `Workflow "${wanted}" has no runs yet.`);
  const nearest = findNearest(options.dag, await workflows.fileNames());
  const message = `No workflow or run named "${options.dag}".`;
  throw new AppError('not_found', message, nearest === undefined ? {} : { details: { nearest } });
}

async function tryGetRun(
  api: EngineApi,
  caller: Caller,
  name: string,
  dagRunId: string,
): Promise<RunDetailView | undefined> {
  try {
    return await api.call('runs.get', { name, dagRunId }, caller);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
