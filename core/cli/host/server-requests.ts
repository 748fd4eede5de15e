import type {
  Caller,
  DryRunRequest,
  EngineApi,
  EnqueueRequest,
  StartRequest,
} from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import type { DryRunView } from '../../contract/dry.ts';
import { readSpecFile } from '../../library/read-spec.ts';
import type { RunRef } from '../../model/run.ts';
import { formatParamText, parseParamTokens } from '../../spec/params.ts';

/** Starts a run on a server. Throws `bad_request` for what only a home of this machine can do. */
export function startOnServer(api: EngineApi, request: StartRequest, caller: Caller): Promise<RunRef> {
  refuseFolder(request);
  const { source, name, dagRunId, singleton } = request;
  if ('run' in source) {
    const { name: ofRun, dagRunId: fromRunId } = source.run;
    return api.call('runs.reschedule', { name: ofRun, fromRunId, dagName: name, dagRunId }, caller);
  }
  const wish = { params: paramText(request.params), dagRunId, singleton };
  if ('fileName' in source)
    return api.call('dags.start', { fileName: source.fileName, dagName: name, ...wish }, caller);
  return api.call('runs.start', { ...specOf(source, name), ...wish }, caller);
}

/** Puts a run into a queue of a server. Throws as {@link startOnServer} does. */
export function enqueueOnServer(api: EngineApi, request: EnqueueRequest, caller: Caller): Promise<RunRef> {
  refuseFolder(request);
  const { source, name, dagRunId, singleton, queue, priority } = request;
  const wish = { params: paramText(request.params), dagRunId, singleton, queue, priority };
  if ('fileName' in source)
    return api.call('dags.enqueue', { fileName: source.fileName, dagName: name, ...wish }, caller);
  return api.call('runs.enqueue', { ...specOf(source, name), ...wish }, caller);
}

/** Asks a server what a run would do. Throws as {@link startOnServer} does. */
export function dryRunOnServer(api: EngineApi, request: DryRunRequest, caller: Caller): Promise<DryRunView> {
  refuseFolder(request);
  const { source, name, runSubstitutions } = request;
  const wish = { params: paramText(request.params), runSubstitutions };
  if ('fileName' in source && name === undefined)
    return api.call('dags.dry', { fileName: source.fileName, ...wish }, caller);
  if ('fileName' in source)
    throw new AppError(
      'bad_request',
      '--name does not work for a dry run of a workflow of the server; leave it out, or name a file of this machine',
    );
  return api.call('runs.dry', { ...specOf(source, name), ...wish }, caller);
}

/** A folder of this machine means nothing to a server. Throws `bad_request`. */
function refuseFolder({ defaultWorkingDir }: Pick<StartRequest, 'defaultWorkingDir'>): void {
  if (defaultWorkingDir === undefined) return;
  throw new AppError(
    'bad_request',
    '--default-working-dir is a folder of this machine, and the run takes place on a server; write workingDir into the workflow',
  );
}

/** The text of a workflow; one that has no name gets that of its file, as it does without a server. */
function specOf(
  source: { readonly file: string } | { readonly spec: string },
  name: string | undefined,
): { spec: string; name: string | undefined } {
  if ('spec' in source) return { spec: source.spec, name };
  const { text, workflows } = readSpecFile(source.file);
  return { spec: text, name: name ?? workflows[0]?.name };
}

/** Words of a shell as one text that means the same. */
function paramText(params: StartRequest['params']): string | undefined {
  if (params === undefined || typeof params === 'string') return params;
  return formatParamText(parseParamTokens(params));
}
