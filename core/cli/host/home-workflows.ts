import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { LibraryEntry } from '../../library/workflow-library.ts';
import {
  findDag,
  listDagNames,
  openLibrary,
  tryFindDag,
  type WorkflowSearchPaths,
} from '../arguments/find-dag.ts';
import { findRunNames } from '../arguments/find-run-names.ts';
import type { WorkflowChoice, WorkflowFinder } from './host-api.ts';

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
  const { dir, name } = path.parse(file);
  if (dir === folder) return name;
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
