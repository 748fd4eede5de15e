import type { Engine } from '../../engine.ts';
import { homePaths } from '../../home/config/home.ts';
import { AppError } from '../../base/errors.ts';
import { getFileName, findInTree } from '../../home/library/folder-listing.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import type { CommandContext } from '../command-context.ts';
import {
  findDag,
  listDagNames,
  openLibrary,
  tryFindDag,
  type WorkflowSearchPaths,
  findRunNames,
} from '../find-workflow.ts';
import type { EngineClient, WorkflowChoice, WorkflowFinder } from './engine-client.ts';

/** Returns the API of a home opened by this process. Closing it stops the runs of this process. */
export function localEngine(host: Engine, context: Pick<CommandContext, 'cwd'>): EngineClient {
  const { home } = host;
  const workflows = localWorkflows({ cwd: context.cwd, dags: homePaths(home, host.config.paths).dags });
  return {
    api: host.api,
    location: home,
    isRemote: false,
    workflows,
    startRun: (request) => host.startRun(request),
    startNamed: async (argument, request) =>
      host.startRun({ ...request, source: await workflows.find(argument) }),
    enqueueRun: (request) => host.enqueueRun(request),
    waitForEnd: (run) => host.waitForEnd(run),
    waitForOutcome: (run) => host.waitForOutcome(run),
    forceStop: (run) => host.forceStop(run),
    sendWebhooks: () => host.sendWebhooks(),
    hasOrphans: () => host.hasOrphans(),
    close: () => host.close('stop'),
  };
}

/** Finds workflows of a local home, and files anywhere on this machine. */
export function localWorkflows(paths: WorkflowSearchPaths): WorkflowFinder {
  const tryFind = async (argument: string): Promise<{ file: string } | undefined> => {
    const file = await tryFindDag(argument, paths);
    return file === undefined ? undefined : { file };
  };
  return {
    find: async (argument) => ({ file: await findDag(argument, paths) }),
    findInFolder: async (argument) => nameInFolder(await findDag(argument, paths), argument, paths.dags),
    tryFind,
    runNames: (argument) => findRunNames(argument, paths),
    fileNames: async () => listDagNames(paths.dags),
    choices: async () => (await openLibrary(paths.dags).listLoaded()).filter(isRunnable).map(toChoice),
  };
}

function nameInFolder(file: string, argument: string, folder: string): string {
  const name = getFileName(file);
  if (findInTree(folder, name) === file) return name;
  throw new AppError(
    'bad_request',
    `"${argument}" is not a workflow in ${folder}. Only workflows in this folder have schedules that can be suspended.`,
  );
}

const isRunnable = (entry: LibraryEntry): boolean => entry.spec.workflows.length > 0;

const toChoice = ({ fileName, file, spec }: LibraryEntry): WorkflowChoice => ({
  fileName,
  description: spec.workflows[0]?.description ?? '',
  source: { file },
});
