import path from 'node:path';
import type {
  Caller,
  DryRunRequest,
  EngineApi,
  EnqueueRequest,
  RunSource,
  StartRequest,
} from '../../api/engine-api.ts';
import { AppError } from '../../base/errors.ts';
import type { DryRunView } from '../../contract/dry.ts';
import type { RunRef } from '../../model/run.ts';
import { formatParamText, parseParamTokens } from '../../spec/params.ts';
import { fileNamePattern } from '../../base/ids.ts';
import { findNearest } from '../../base/text.ts';
import type { DagSummaryView } from '../../contract/dags.ts';
import { mayBeFileName, statIfExists, looksLikePath, getRunNames, workflowEndings } from '../arguments.ts';
import { type WorkflowFinder, type WorkflowMatch, listAllDags } from './engine-client.ts';

/** Starts a run on a server. Throws the server's errors. */
export async function startOnServer(api: EngineApi, request: StartRequest, caller: Caller): Promise<RunRef> {
  const { source, name, dagRunId, singleton, defaultWorkingDir } = request;
  if ('run' in source) {
    const { name: fromDag, dagRunId: fromRunId } = source.run;
    const input = { fromRunId, dagName: name, dagRunId, singleton: singleton === true, defaultWorkingDir };
    return api.call('runs.reschedule', { name: fromDag, ...input }, caller);
  }
  const options = { params: paramText(request.params), dagRunId, singleton, defaultWorkingDir };
  if ('fileName' in source)
    return api.call('dags.start', { fileName: source.fileName, dagName: name, ...options }, caller);
  return api.call('runs.start', { ...(await getSpec(source, name)), ...options }, caller);
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
  return api.call('runs.enqueue', { ...(await getSpec(source, name)), ...options }, caller);
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
  return api.call('runs.dry', { ...(await getSpec(source, name)), ...input }, caller);
}

/** Returns the source of a workflow. A missing name is set to the file name, as for a local home. */
async function getSpec(
  source: Extract<RunSource, { readonly file: string } | { readonly spec: string }>,
  name: string | undefined,
): Promise<{ spec: string; base?: string | undefined; name: string | undefined }> {
  if ('spec' in source) return { spec: source.spec, base: source.base?.text, name };
  // Not loaded for workflows on the server.
  const { readSpecFile } = await import('../../home/library/read-spec.ts');
  const { text, workflows } = readSpecFile(source.file);
  return { spec: text, name: name ?? workflows[0]?.name };
}

/** Joins shell words to an equivalent string. */
function paramText(params: StartRequest['params']): string | undefined {
  if (params === undefined || typeof params === 'string') return params;
  return formatParamText(parseParamTokens(params));
}

/**
 * Finds workflows in the server's workflow directory by name, and local files by path. A word that is not a path is
 * looked up on the server first, like in the local workflow directory without a server.
 * @param cwd absolute; base of file paths on the command line
 * @param url of the server, for messages
 */
export function remoteWorkflows(api: EngineApi, caller: Caller, cwd: string, url: string): WorkflowFinder {
  const onServer = (argument: string): Promise<DagSummaryView | undefined> => findDag(argument, api, caller);
  const findHere = (argument: string): { file: string } | undefined => {
    const endings = looksLikePath(argument) ? workflowEndings : [''];
    const files = endings.map((ending) => path.resolve(cwd, `${argument}${ending}`));
    const file = files.find((each) => statIfExists(each)?.isDirectory() === false);
    return file === undefined ? undefined : { file };
  };
  const tryFind = async (argument: string): Promise<WorkflowMatch | undefined> => {
    if (looksLikePath(argument)) return findHere(argument);
    const dag = await onServer(argument);
    return dag === undefined ? findHere(argument) : { fileName: dag.fileName };
  };
  const unknownWorkflowError = async (argument: string): Promise<AppError> => {
    const nearest = findNearest(argument, await fileNames());
    return new AppError('not_found', `No workflow named "${argument}" on ${url}.`, {
      details: nearest === undefined ? undefined : { nearest },
    });
  };
  const fileNames = async (): Promise<string[]> =>
    (await listAllDags(api, caller)).map((dag) => dag.fileName);
  return {
    tryFind,
    fileNames,
    async find(argument) {
      const found = await tryFind(argument);
      if (found !== undefined) return found;
      if (looksLikePath(argument)) throw new AppError('not_found', `Workflow file "${argument}" not found.`);
      throw await unknownWorkflowError(argument);
    },
    async findInFolder(argument) {
      const dag = await onServer(argument);
      if (dag !== undefined) return dag.fileName;
      throw await unknownWorkflowError(argument);
    },
    async runNames(argument) {
      const file = looksLikePath(argument) ? findHere(argument)?.file : undefined;
      if (file !== undefined) return getRunNames(argument, (await readFile(file)).workflows[0]?.name);
      return getRunNames(argument, (await onServer(argument))?.name);
    },
    choices: async () =>
      (await listAllDags(api, caller))
        .filter((dag) => dag.valid)
        .map(({ fileName, description = '' }) => ({ fileName, description, source: { fileName } })),
  };
}

/** Reads a local file. The reader is not loaded for workflows on the server. */
const readFile = async (file: string) => (await import('../../home/library/read-spec.ts')).readSpecFile(file);

/** Finds a workflow by file name, else by workflow name. */
async function findDag(
  argument: string,
  api: EngineApi,
  caller: Caller,
): Promise<DagSummaryView | undefined> {
  if (new RegExp(fileNamePattern).test(argument)) {
    try {
      return await api.call('dags.get', { fileName: argument }, caller);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  }
  return (await listAllDags(api, caller)).find((dag) => dag.name === argument);
}
