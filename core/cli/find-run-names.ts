import { dagNamePattern } from '../base/ids.ts';
import { readSpecFile } from '../library/read-spec.ts';
import { tryFindDag, type DagPlaces } from './find-dag.ts';

/**
 * Names that runs of this argument may bear, the likeliest first: that of the workflow in the file it stands for, then
 * the argument itself. None when it can be no name.
 */
export function findRunNames(argument: string, places: DagPlaces): string[] {
  const file = tryFindDag(argument, places);
  return runNamesOf(argument, file === undefined ? undefined : readSpecFile(file).workflows[0]?.name);
}

/** @param fromFile name of the workflow that the argument stands for, when it stands for one */
export function runNamesOf(argument: string, fromFile: string | undefined): string[] {
  const asGiven = new RegExp(dagNamePattern).test(argument) ? argument : undefined;
  return [...new Set([fromFile, asGiven])].filter((name) => name !== undefined);
}
