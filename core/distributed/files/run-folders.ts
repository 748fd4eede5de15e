import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { RunRef } from '../../model/run.ts';
import { logFolderName } from '../../store/run-logs.ts';

/** Components of an attempt directory: `<root>/<workflow>/<time>_<run id>/<attempt>`. */
export interface RunFolderParts {
  /** Absolute path of the run's log directory. */
  readonly run: string;
  /** Names of the workflow and run directories, which identify the run on any machine. */
  readonly runParts: readonly [workflow: string, run: string];
  /** Path of the attempt relative to the run directory. */
  readonly attempt: string;
}

/**
 * Splits the path of an attempt directory. Throws `bad_request` if it is invalid, so that nothing is written
 * elsewhere.
 */
export function parseRunFolder(attemptDir: string): RunFolderParts {
  if (!path.isAbsolute(attemptDir) || path.normalize(attemptDir) !== attemptDir || attemptDir.includes('\0'))
    throw invalidFolder(attemptDir);
  for (let folder = path.dirname(attemptDir); folder !== path.dirname(folder); folder = path.dirname(folder))
    if (logFolderName.test(path.basename(folder)))
      return { run: folder, runParts: runParts(folder), attempt: path.relative(folder, attemptDir) };
  throw invalidFolder(attemptDir);
}

/** Returns the run directory of an attempt. Throws `bad_request` if it belongs to another run. */
export function findRunFolder(attemptDir: string, { name, dagRunId }: RunRef): string {
  const { run, runParts: segments } = parseRunFolder(attemptDir);
  if (segments[0] !== name || logFolderName.exec(segments[1])?.[1] !== dagRunId)
    throw invalidFolder(attemptDir);
  return run;
}

/** Returns the names of the workflow and run directories. */
export function runParts(run: string): readonly [workflow: string, run: string] {
  return [path.basename(path.dirname(run)), path.basename(run)];
}

const invalidFolder = (attemptDir: string): AppError =>
  new AppError('bad_request', `${JSON.stringify(attemptDir)} is not an attempt folder of this run.`);
