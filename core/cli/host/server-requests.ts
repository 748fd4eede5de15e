import type {
  Caller,
  DryRunRequest,
  EngineApi,
  EnqueueRequest,
  RunSource,
  StartRequest,
} from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import type { DryRunView } from '../../contract/runs/dry.ts';
import type { RunRef } from '../../model/run/run.ts';
import { formatParamText, parseParamTokens } from '../../spec/params.ts';
import { mayBeFileName } from '../arguments/workflow-argument.ts';
import type { WorkflowFinder } from './host-api.ts';

/** Starts a run on a server. Throws the server's errors. */
export async function startOnServer(api: EngineApi, request: StartRequest, caller: Caller): Promise<RunRef> {
  const { source, name, dagRunId, singleton, defaultWorkingDir } = request;
  if ('run' in source) {
    const { name: ofRun, dagRunId: fromRunId } = source.run;
    const input = { fromRunId, dagName: name, dagRunId, singleton: singleton === true, defaultWorkingDir };
    return api.call('runs.reschedule', { name: ofRun, ...input }, caller);
  }
  const options = { params: paramText(request.params), dagRunId, singleton, defaultWorkingDir };
  if ('fileName' in source)
    return api.call('dags.start', { fileName: source.fileName, dagName: name, ...options }, caller);
  return api.call('runs.start', { ...(await specOf(source, name)), ...options }, caller);
}

/**
 * Starts the workflow of an argument. The server usually knows it by file name; other names are looked up only if it
 * does not. Throws as {@link startOnServer} and `find` do.
 */
export async function startNamedOnServer(
  argument: string,
  request: Omit<StartRequest, 'source'>,
  { api, caller, workflows }: { api: EngineApi; caller: Caller; workflows: Pick<WorkflowFinder, 'find'> },
): Promise<RunRef> {
  if (mayBeFileName(argument)) {
    try {
      return await startOnServer(api, { ...request, source: { fileName: argument } }, caller);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  }
  return startOnServer(api, { ...request, source: await workflows.find(argument) }, caller);
}

/** Queues a run on a server. Throws as {@link startOnServer} does. */
export async function enqueueOnServer(
  api: EngineApi,
  request: EnqueueRequest,
  caller: Caller,
): Promise<RunRef> {
  const {
    source,
    name,
    params,
    trigger: _trigger,
    startedBy: _startedBy,
    trace: _trace,
    ...runOptions
  } = request;
  const options = { ...runOptions, params: paramText(params) };
  if ('fileName' in source)
    return api.call('dags.enqueue', { fileName: source.fileName, dagName: name, ...options }, caller);
  return api.call('runs.enqueue', { ...(await specOf(source, name)), ...options }, caller);
}

/** Dry-runs on a server. Throws as {@link startOnServer} does. */
export async function dryRunOnServer(
  api: EngineApi,
  request: DryRunRequest,
  caller: Caller,
): Promise<DryRunView> {
  const { source, name, params, ...options } = request;
  const input = { ...options, params: paramText(params) };
  if ('fileName' in source)
    return api.call('dags.dry', { fileName: source.fileName, dagName: name, ...input }, caller);
  return api.call('runs.dry', { ...(await specOf(source, name)), ...input }, caller);
}

/** Returns the source of a workflow. A missing name is set to the file name, as for a local home. */
async function specOf(
  source: Extract<RunSource, { readonly file: string } | { readonly spec: string }>,
  name: string | undefined,
): Promise<{ spec: string; base?: string | undefined; name: string | undefined }> {
  if ('spec' in source) return { spec: source.spec, base: source.base?.text, name };
  // Not loaded for workflows on the server.
  const { readSpecFile } = await import('../../library/read-spec.ts');
  const { text, workflows } = readSpecFile(source.file);
  return { spec: text, name: name ?? workflows[0]?.name };
}

/** Joins shell words to an equivalent string. */
function paramText(params: StartRequest['params']): string | undefined {
  if (params === undefined || typeof params === 'string') return params;
  return formatParamText(parseParamTokens(params));
}
