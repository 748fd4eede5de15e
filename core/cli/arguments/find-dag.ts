import { statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text/nearest.ts';
import { WorkflowLibrary } from '../../library/workflow-library.ts';
import { systemClock } from '../../system-clock.ts';
import { lookAt } from './look-at.ts';
import { looksLikePath, workflowEndings } from './workflow-argument.ts';

/** Where a workflow argument is looked for. */
export interface DagPlaces {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute: the workflow folder. */
  readonly dags: string;
}

/**
 * The absolute path of the workflow file an argument stands for: a path (absolute or from the
 * current directory; with a slash it may lack the ending), or a name in the home's workflow folder
 * (its file name, with or without extension, or the `name` in the file). A bare word means the
 * workflow folder first.
 * Rejects with `not_found` and the nearest name, if one is near.
 */
export async function findDag(argument: string, places: DagPlaces): Promise<string> {
  const file = await tryFindDag(argument, places);
  if (file !== undefined) return file;
  const nearest = findFileHere(argument, places.cwd) ?? findNearest(argument, listDagNames(places.dags));
  throw new AppError('not_found', describeMissing(argument, places), {
    details: nearest === undefined ? undefined : { nearest },
  });
}

function describeMissing(argument: string, { cwd, dags }: DagPlaces): string {
  if (!looksLikePath(argument)) return `No workflow named "${argument}" in ${dags}.`;
  const isFolder = lookAt(path.resolve(cwd, argument))?.isDirectory();
  if (isFolder === true) return `"${argument}" is a directory. Name a workflow file in it.`;
  const places = path.isAbsolute(argument) ? '' : ` in ${cwd} or ${dags}`;
  return `Workflow file "${argument}" not found${places}.`;
}

/** The file of the current directory that is meant by its name without an ending. */
const findFileHere = (argument: string, cwd: string): string | undefined =>
  workflowEndings.map((ending) => `${argument}${ending}`).find((name) => isFile(path.resolve(cwd, name)));

/** As {@link findDag}, with nothing for an argument that stands for no file. */
export async function tryFindDag(argument: string, { cwd, dags }: DagPlaces): Promise<string | undefined> {
  const inCwd = path.resolve(cwd, argument);
  if (!looksLikePath(argument))
    return (await openLibrary(dags).findByName(argument))?.file ?? (isFile(inCwd) ? inCwd : undefined);
  return (
    findWorkflowFile(inCwd) ??
    (path.isAbsolute(argument) ? undefined : findWorkflowFile(path.join(dags, argument)))
  );
}

/** The file at an absolute path, which may lack the ending `.yaml` or `.yml`. */
const findWorkflowFile = (file: string): string | undefined =>
  workflowEndings.map((ending) => `${file}${ending}`).find(isFile);

/** Names that `engine start NAME` takes. */
export function listDagNames(dags: string): string[] {
  return openLibrary(dags)
    .list()
    .map((entry) => entry.fileName);
}

/** The workflow folder. */
export const openLibrary = (dags: string): WorkflowLibrary => new WorkflowLibrary(dags, systemClock);

/** Anything readable will do, a pipe of `<(…)` too. What cannot be looked at is none; {@link findDag} says why. */
function isFile(file: string): boolean {
  try {
    return !statSync(file).isDirectory();
  } catch {
    return false;
  }
}
