import { readSpecFile } from '../../library/read-spec.ts';
import { tryFindDag, type DagPlaces } from './find-dag.ts';
import { runNamesOf } from './workflow-argument.ts';

/**
 * Names that runs of this argument may bear, the likeliest first: that of the workflow in the file it stands for, then
 * the argument itself. None when it can be no name.
 */
export async function findRunNames(argument: string, places: DagPlaces): Promise<string[]> {
  const file = await tryFindDag(argument, places);
  return runNamesOf(argument, file === undefined ? undefined : readSpecFile(file).workflows[0]?.name);
}
