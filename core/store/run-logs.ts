import { createHash } from 'node:crypto';
import path from 'node:path';
import { rm, rmdir } from 'node:fs/promises';
import type { NodeId } from '../model/run-event.ts';
import type { RunRef } from '../model/run.ts';
import type { PurgedRun } from './types/runs.ts';

/** The engine's log of a run, in the run's directory (`DAG_RUN_LOG_FILE`). */
export const runLogFile = 'run.log';

const maxNameLength = 80;

/**
 * Returns a run's directory: `logs/<dag>/<UTC time>_<run id>`, relative to the home, or the same under `root` instead
 * of `logs`.
 * @param root the workflow's `logDir`, absolute
 */
export function runLogDir(run: RunRef, at: number, root?: string): string {
  const time = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = `${run.name}/${time}_${run.dagRunId}`;
  return root === undefined ? `logs/${folder}` : path.join(root, folder);
}

/**
 * Returns an attempt's directory relative to the run's: `extract.1`. Handlers start with `@`, which no step name does.
 */
export function attemptDir(node: NodeId, attempt: number): string {
  return `${node.section === 'handler' ? '@' : ''}${safeName(node.name)}.${attempt}`;
}

/**
 * Returns a file name for a step. Step names may contain any character; names that are not plain file names get a hash,
 * so that they stay unique.
 */
function safeName(name: string): string {
  if (/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,79}$/.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, maxNameLength)}~${hash}`;
}

/** Matches a directory name of `runLogDir`: the time, then the run's id. */
export const logFolderName = /^\d{8}T\d{6}Z_(.+)$/;

/** Removes a run's data that is stored outside its directory, in a bucket. Takes the absolute path of the directory. */
export type RemoveRemoteData = (folder: string) => Promise<void>;

/**
 * Deletes the log directory of a run that was deleted from the store, and the directory of its workflow if that is
 * empty afterwards. Rejects with the system error when the directory cannot be deleted, and with the error of
 * `removeRemoteData`; the directory then stays.
 * @param home absolute
 */
export async function removeRunLogs(
  home: string,
  run: PurgedRun,
  removeRemoteData?: RemoveRemoteData,
): Promise<void> {
  const folder = findLogFolder(home, run);
  if (folder === undefined) return;
  await removeRemoteData?.(folder);
  await removeLogFolder(folder);
}

/** Deletes a run's directory, and its parent directory if that is empty afterwards. */
export async function removeLogFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  // A run that starts now creates the directory again.
  await rmdir(path.dirname(folder)).catch(() => {});
}

/**
 * Returns the directory that belongs to this run alone, regardless of the stored path: its name and location must
 * match `runLogDir`. Returns undefined otherwise.
 */
export function findLogFolder(home: string, { name, dagRunId, logDir }: PurgedRun): string | undefined {
  if (logDir === '') return undefined;
  const folder = path.resolve(home, logDir);
  const above = path.dirname(folder);
  const hasRunName =
    logFolderName.exec(path.basename(folder))?.[1] === dagRunId && path.basename(above) === name;
  const isInLogFolder = path.isAbsolute(logDir) || path.dirname(above) === path.join(home, 'logs');
  return hasRunName && isInLogFolder ? folder : undefined;
}
