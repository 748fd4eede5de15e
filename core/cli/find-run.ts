import type { Caller, EngineApi } from '../api/engine-host.ts';
import { AppError } from '../base/errors.ts';
import { dagNamePattern } from '../base/ids.ts';
import { findNearest } from '../base/nearest.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import { readSpecFile } from '../library/read-spec.ts';
import { listDagNames, tryFindDag, type DagPlaces } from './find-dag.ts';

/** Which run a command is about. */
export interface RunWish {
  /** A workflow file, its name, or the name of the runs themselves (`--name`, or a file that is gone). */
  readonly dag: string;
  /** The newest one when absent. */
  readonly dagRunId?: string;
}

/**
 * The run meant by `DAG [--run-id ID]`. The argument names a file, whose workflow's name the runs
 * bear, or the runs directly; a file wins when both have runs.
 * Throws `not_found`.
 */
export async function findRun(
  api: EngineApi,
  caller: Caller,
  wish: RunWish,
  places: DagPlaces,
): Promise<RunDetailView> {
  const names = findRunNames(wish.dag, places);
  const dagRunId = wish.dagRunId ?? 'latest';
  for (const name of names) {
    const run = await tryGetRun(api, caller, name, dagRunId);
    if (run !== undefined) return run;
  }
  const wanted = names[0] ?? wish.dag;
  if (wish.dagRunId !== undefined)
    throw new AppError('not_found', `there is no run ${wish.dagRunId} of ${wanted}`);
  if (tryFindDag(wish.dag, places) !== undefined)
    throw new AppError('not_found', `${wanted} has not been run yet`);
  const nearest = findNearest(wish.dag, listDagNames(places.home));
  const message = `there is neither a workflow nor a run named ${wish.dag}`;
  throw new AppError('not_found', message, nearest === undefined ? {} : { details: { nearest } });
}

/** Names that runs of this argument may bear, the likeliest first; none when it can be no name. */
export function findRunNames(argument: string, places: DagPlaces): string[] {
  const file = tryFindDag(argument, places);
  const fromFile = file === undefined ? undefined : readSpecFile(file).workflows[0]?.name;
  const asGiven = new RegExp(dagNamePattern).test(argument) ? argument : undefined;
  return [...new Set([fromFile, asGiven])].filter((name) => name !== undefined);
}

async function tryGetRun(
  api: EngineApi,
  caller: Caller,
  name: string,
  dagRunId: string,
): Promise<RunDetailView | undefined> {
  try {
    return await api.call('runs.get', { name, dagRunId }, caller);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}
