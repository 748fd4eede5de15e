import path from 'node:path';
import type { DryRunRequest, EnqueueRequest, RunSource, StartRequest } from './engine-api.ts';
import type { WorkflowCache } from './caches.ts';
import { AppError, fieldError } from '../base/errors.ts';
import type { DryRunView } from '../contract/dry.ts';
import type { WorkflowLibrary } from '../home/library/workflow-library.ts';
import type { RunRef } from '../model/run.ts';
import type { Queues } from '../run/queue/queues.ts';
import type { DryRuns } from '../run/dry/dry-runs.ts';
import type { Reruns } from '../run/recovery/reruns.ts';
import type { LoadedFile, RunService } from '../run/run-service.ts';
import { findParamProblem, parseParamText, parseParamTokens } from '../spec/params.ts';

/** Starts and queues runs as requested by a caller of the engine. */
export class RunRequests {
  readonly #runs: RunService;
  readonly #reruns: Reruns;
  readonly #library: WorkflowLibrary;
  readonly #queues: Queues;
  readonly #storedWorkflows: WorkflowCache;

  constructor(
    runs: RunService,
    reruns: Reruns,
    library: WorkflowLibrary,
    queues: Queues,
    storedWorkflows: WorkflowCache,
  ) {
    this.#runs = runs;
    this.#reruns = reruns;
    this.#library = library;
    this.#queues = queues;
    this.#storedWorkflows = storedWorkflows;
  }

  /** See `Engine.startRun`. */
  readonly start = async (request: StartRequest): Promise<RunRef> => {
    const { source } = request;
    assertAbsolute(request);
    if (!('run' in source)) {
      const match = await findSource(this.#library, source);
      const run = await this.#runs.start({ ...request, source: match, params: readParams(request) });
      this.#storedWorkflows.remember(match);
      return run;
    }
    if (request.params !== undefined) {
      throw new AppError(
        'bad_request',
        'A run created from an earlier run reuses its parameters. Omit the parameters, or start the workflow from its file.',
      );
    }
    return this.#reruns.repeat(source.run, request);
  };

  /** See `Engine.enqueueRun`. */
  readonly enqueue = async (request: EnqueueRequest): Promise<RunRef> => {
    assertAbsolute(request);
    const source = await findSource(this.#library, request.source);
    return this.#queues.enqueue({ ...request, source, params: readParams(request) });
  };
}

/** Returns what a run would do. Throws `AppError`. */
export async function dryRun(
  request: DryRunRequest,
  dryRuns: DryRuns,
  library: WorkflowLibrary,
): Promise<DryRunView> {
  const { name, defaultWorkingDir, runSubstitutions } = request;
  assertAbsolute(request);
  const source = await findSource(library, request.source);
  return dryRuns.plan({ source, params: readParams(request), name, defaultWorkingDir, runSubstitutions });
}

/**
 * Rejects a relative directory, which has no base here.
 * @throws `bad_request`
 */
function assertAbsolute({ defaultWorkingDir: folder }: Pick<StartRequest, 'defaultWorkingDir'>): void {
  if (folder === undefined || (path.isAbsolute(folder) && !folder.includes('\0'))) return;
  throw new AppError(
    'bad_request',
    `The default working directory "${folder.slice(0, 200)}" is not absolute. Use an absolute path on the engine host.`,
  );
}

/** @throws `bad_request` */
function readParams({ params }: Pick<StartRequest, 'params'>): ReturnType<typeof parseParamText> {
  if (params === undefined) return [];
  if (typeof params !== 'string') return parseParamTokens(params);
  const problem = findParamProblem(params);
  if (problem !== undefined) throw fieldError('params', problem);
  return parseParamText(params);
}

async function findSource(
  library: WorkflowLibrary,
  source: Exclude<RunSource, { readonly run: RunRef }>,
): Promise<LoadedFile> {
  if ('spec' in source && source.sourceFile !== undefined)
    return library.loadUnsaved(source.sourceFile, source.spec, source.base);
  if ('spec' in source) return library.load(source.spec, source.base);
  if ('file' in source) return library.read(path.resolve(source.file));
  return (await library.get(source.fileName)).spec;
}
