import { dagNamePattern, fileNamePattern } from '../../base/ids.ts';

/** Whether an argument is looked up as a file first, not as a name in the workflow directory. */
export const looksLikePath = (argument: string): boolean => /[/\\]|\.ya?ml$/i.test(argument);

/** Extensions to try for a workflow path, in this order. */
export const workflowEndings = ['', '.yaml', '.yml'];

/** Whether the argument can be a file name in the workflow directory. */
export const mayBeFileName = (argument: string): boolean =>
  !looksLikePath(argument) && new RegExp(fileNamePattern).test(argument);

/** @param fromFile workflow name, if the argument matches a file */
export function runNamesOf(argument: string, fromFile: string | undefined): string[] {
  const asGiven = new RegExp(dagNamePattern).test(argument) ? argument : undefined;
  return [...new Set([fromFile, asGiven])].filter((name) => name !== undefined);
}
