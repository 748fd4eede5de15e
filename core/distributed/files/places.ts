import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { RunRef } from '../../model/run/run.ts';
import { logFolderName } from '../../run/kept/remove-logs.ts';

/** Where an attempt's files belong: `<root>/<workflow>/<time>_<run id>/<attempt>`. */
export interface PlaceParts {
  /** Of the run's logs; absolute. */
  readonly run: string;
  /** Names of the workflow's folder and the run's: tell the run from all others, whatever machine its folder is on. */
  readonly runParts: readonly [workflow: string, run: string];
  /** From the run's folder to the attempt's. */
  readonly attempt: string;
}

/** Takes the folder of an attempt apart. Throws `bad_request` for what is none, so that nothing is written elsewhere. */
export function splitPlace(place: string): PlaceParts {
  if (!path.isAbsolute(place) || path.normalize(place) !== place || place.includes('\0'))
    throw refusePlace(place);
  for (let folder = path.dirname(place); folder !== path.dirname(folder); folder = path.dirname(folder))
    if (logFolderName.test(path.basename(folder)))
      return { run: folder, runParts: runParts(folder), attempt: path.relative(folder, place) };
  throw refusePlace(place);
}

/** The folder of the run that an attempt belongs to. Throws `bad_request` when the place is not one of this very run. */
export function findRunFolder(place: string, { name, dagRunId }: RunRef): string {
  const { run, runParts: parts } = splitPlace(place);
  if (parts[0] !== name || logFolderName.exec(parts[1])?.[1] !== dagRunId) throw refusePlace(place);
  return run;
}

/** Names of the workflow's folder and the run's. */
export function runParts(run: string): readonly [workflow: string, run: string] {
  return [path.basename(path.dirname(run)), path.basename(run)];
}

const refusePlace = (place: string): AppError =>
  new AppError('bad_request', `${JSON.stringify(place)} is not an attempt folder of this run.`);
