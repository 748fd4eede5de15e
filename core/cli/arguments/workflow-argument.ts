import { dagNamePattern, fileNamePattern } from '../../base/ids.ts';

/** Whether an argument means a file first, not a name in the workflow folder. */
export const looksLikePath = (argument: string): boolean => /[/\\]|\.ya?ml$/i.test(argument);

/** Endings that are tried after a path to a workflow file, in this order. */
export const workflowEndings = ['', '.yaml', '.yml'];

/** Whether it can be the name of a file in the workflow folder. */
export const mayBeFileName = (argument: string): boolean =>
  !looksLikePath(argument) && new RegExp(fileNamePattern).test(argument);

/** @param fromFile name of the workflow that the argument stands for, when it stands for one */
export function runNamesOf(argument: string, fromFile: string | undefined): string[] {
  const asGiven = new RegExp(dagNamePattern).test(argument) ? argument : undefined;
  return [...new Set([fromFile, asGiven])].filter((name) => name !== undefined);
}
