import { statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import { WorkflowLibrary } from '../home/library/workflow-library.ts';
import { systemClock } from '../base/system-clock.ts';
import { readSpecFile } from '../home/library/read-spec.ts';
import { looksLikePath, workflowEndings, getRunNames, statIfExists } from './arguments.ts';

/** Directories in which a workflow argument is looked up. */
export interface WorkflowSearchPaths {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute path of the workflow directory. */
  readonly dags: string;
}

/**
 * Returns the absolute path of the workflow file that an argument means: a path (absolute or relative to the current
 * directory; with a slash it may lack the extension), or a name in the home's workflow directory (file name with or
 * without extension, or the `name` in the file). A bare word is looked up in the workflow directory first. Rejects
 * with `not_found` and the nearest name, if any.
 */
export async function findDag(argument: string, paths: WorkflowSearchPaths): Promise<string> {
  const file = await tryFindDag(argument, paths);
  if (file !== undefined) return file;
  const nearest = findFileInCwd(argument, paths.cwd) ?? findNearest(argument, listDagNames(paths.dags));
  throw new AppError('not_found', formatMissing(argument, paths), {
    details: nearest === undefined ? undefined : { nearest },
  });
}

function formatMissing(argument: string, { cwd, dags }: WorkflowSearchPaths): string {
  if (!looksLikePath(argument)) return `No workflow named "${argument}" in ${dags}.`;
  const isFolder = statIfExists(path.resolve(cwd, argument))?.isDirectory();
  if (isFolder === true) return `"${argument}" is a directory. Specify a workflow file in it.`;
  const searchedIn = path.isAbsolute(argument) ? '' : ` in ${cwd} or ${dags}`;
  return `Workflow file "${argument}" not found${searchedIn}.`;
}

/** Returns the file in the current directory with the specified name without extension. */
const findFileInCwd = (argument: string, cwd: string): string | undefined =>
  workflowEndings.map((ending) => `${argument}${ending}`).find((name) => isFile(path.resolve(cwd, name)));

/** Like {@link findDag}, but returns undefined if no file matches. */
export async function tryFindDag(
  argument: string,
  { cwd, dags }: WorkflowSearchPaths,
): Promise<string | undefined> {
  const inCwd = path.resolve(cwd, argument);
  if (!looksLikePath(argument))
    return (await openLibrary(dags).findByName(argument))?.file ?? (isFile(inCwd) ? inCwd : undefined);
  return (
    findWorkflowFile(inCwd) ??
    (path.isAbsolute(argument) ? undefined : findWorkflowFile(path.join(dags, argument)))
  );
}

/** Returns the file at an absolute path, which may lack the extension `.yaml` or `.yml`. */
const findWorkflowFile = (file: string): string | undefined =>
  workflowEndings.map((ending) => `${file}${ending}`).find(isFile);

/** Returns the names that `engine start NAME` accepts. */
export function listDagNames(dags: string): string[] {
  return openLibrary(dags)
    .list()
    .map((entry) => entry.fileName);
}

export const openLibrary = (dags: string): WorkflowLibrary => new WorkflowLibrary(dags, systemClock);

/**
 * Whether the path is readable, including a pipe from `<(…)`. Errors count as missing; {@link findDag} reports the
 * reason.
 */
function isFile(file: string): boolean {
  try {
    return !statSync(file).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Returns possible run names of an argument, the most likely first: the name of the workflow in the file, then the
 * argument itself. Empty if it cannot be a name.
 */
export async function findRunNames(argument: string, paths: WorkflowSearchPaths): Promise<string[]> {
  const file = await tryFindDag(argument, paths);
  return getRunNames(argument, file === undefined ? undefined : readSpecFile(file).workflows[0]?.name);
}
