import path from 'node:path';
import type { Caller, EngineApi } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import { fileNamePattern } from '../../base/ids.ts';
import { findNearest } from '../../base/text/nearest.ts';
import type { DagSummaryView } from '../../contract/workflows/dags.ts';
import { statIfExists } from '../arguments/look-at.ts';
import { looksLikePath, runNamesOf, workflowEndings } from '../arguments/workflow-argument.ts';
import type { WorkflowMatch, WorkflowFinder } from './host-api.ts';
import { listAllDags } from './list-dags.ts';

/** Dependencies for lookups on the server. */
interface ServerWorkflowsDeps {
  readonly api: EngineApi;
  readonly caller: Caller;
  /** Absolute; base of file paths on the command line. */
  readonly cwd: string;
  /** URL, for messages. */
  readonly url: string;
}

/**
 * Finds workflows in the server's workflow directory by name, and local files by path. A word that is not a path is
 * looked up on the server first, like in the local workflow directory without a server.
 */
export function remoteWorkflows(deps: ServerWorkflowsDeps): WorkflowFinder {
  const { api, caller, cwd, url } = deps;
  const onServer = (argument: string): Promise<DagSummaryView | undefined> => findDag(argument, deps);
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
      if (file !== undefined) return runNamesOf(argument, (await readFile(file)).workflows[0]?.name);
      return runNamesOf(argument, (await onServer(argument))?.name);
    },
    choices: async () =>
      (await listAllDags(api, caller))
        .filter((dag) => dag.valid)
        .map(({ fileName, description = '' }) => ({ fileName, description, source: { fileName } })),
  };
}

/** Reads a local file. The reader is not loaded for workflows on the server. */
const readFile = async (file: string) => (await import('../../library/read-spec.ts')).readSpecFile(file);

/** Finds a workflow by file name, else by workflow name. */
async function findDag(
  argument: string,
  { api, caller }: Pick<ServerWorkflowsDeps, 'api' | 'caller'>,
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
