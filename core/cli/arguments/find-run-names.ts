import { readSpecFile } from '../../library/read-spec.ts';
import { tryFindDag, type WorkflowSearchPaths } from './find-dag.ts';
import { runNamesOf } from './workflow-argument.ts';

/**
 * Returns possible run names of an argument, the most likely first: the name of the workflow in the file, then the
 * argument itself. Empty if it cannot be a name.
 */
export async function findRunNames(argument: string, paths: WorkflowSearchPaths): Promise<string[]> {
  const file = await tryFindDag(argument, paths);
  return runNamesOf(argument, file === undefined ? undefined : readSpecFile(file).workflows[0]?.name);
}
