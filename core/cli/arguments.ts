import { statSync, type Stats } from 'node:fs';
import { AppError, formatFsError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import { dagNamePattern, fileNamePattern } from '../base/ids.ts';
import type { Caller, EngineApi } from '../api/engine-api.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import { activeRunStatuses, isFinal } from '../model/run.ts';
import type { CommandContext } from './command-context.ts';
import type { EngineClient } from './host/engine-client.ts';

/** Whether an argument is looked up as a file first, not as a name in the workflow directory. */
export const looksLikePath = (argument: string): boolean => /[/\\]|\.ya?ml$/i.test(argument);

/** Extensions to try for a workflow path, in this order. */
export const workflowEndings = ['', '.yaml', '.yml'];

/** Whether the argument can be a file name in the workflow directory. */
export const mayBeFileName = (argument: string): boolean =>
  !looksLikePath(argument) && new RegExp(fileNamePattern).test(argument);

/** @param fromFile workflow name, if the argument matches a file */
export function getRunNames(argument: string, fromFile: string | undefined): string[] {
  const asGiven = new RegExp(dagNamePattern).test(argument) ? argument : undefined;
  return [...new Set([fromFile, asGiven])].filter((name) => name !== undefined);
}

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
  const workflowName = names[0] ?? options.dag;
  if (options.dagRunId !== undefined)
    throw new AppError('not_found', `Run ${options.dagRunId} of ${workflowName} not found.`);
  if ((await workflows.tryFind(options.dag)) !== undefined)
    throw new AppError('not_found', `Workflow "${workflowName}" has no runs yet.`);
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

/** Returns the stats of a path, if it exists. Throws `not_found` with the reason if it cannot be read. */
export function statIfExists(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new AppError('not_found', `Cannot read ${file}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}

/** Parameters of a new run, as typed. */
export interface CliParams {
  /** Arguments after `--`, one parameter each. */
  readonly words: readonly string[];
  /** A string with all parameters (`--params`). */
  readonly params?: string;
}

/**
 * Returns the parameters in the specified form; undefined if there are none. Throws `bad_request` if both are used.
 */
export function readCliParams({ words: args, params }: CliParams): string | readonly string[] | undefined {
  if (args.length === 0) return params;
  if (params === undefined) return args;
  throw new AppError(
    'bad_request',
    'Parameters were passed both with --params and after --. Use only one of them.',
  );
}
