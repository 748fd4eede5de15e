import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { parseGlob } from '../../../base/text/glob.ts';
import { findFiles } from '../../../executors/find-files.ts';

/** A required input or output file is missing. */
export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

/** Artifacts of the run. Both methods retry while no coordinator is reachable. */
export interface ArtifactStore {
  /** Returns an artifact; undefined if the run has none with this name. */
  get(name: string): Promise<Readable | undefined>;
  put(name: string, file: string, bytes: number): Promise<void>;
}

/** Downloads the artifacts that a step needs to its directory. Rejects with `TaskFileError` if one is missing. */
export async function fetchInputs(
  names: readonly string[],
  folder: string,
  artifacts: Pick<ArtifactStore, 'get'>,
): Promise<void> {
  for (const name of names) {
    const file = placeWithin(folder, name, 'inputFiles');
    const content = await artifacts.get(name);
    if (content === undefined)
      throw new TaskFileError(
        `inputFiles: the run has no artifact "${name}"; an earlier step must list it in outputFiles`,
      );
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(file));
  }
}

/**
 * Uploads a step's output files as artifacts of the run. Rejects with `TaskFileError` for a pattern without matches.
 * @param signal aborts the upload, which then rejects with the reason
 * @returns names relative to the directory
 */
export async function saveOutputs(
  patterns: readonly string[],
  folder: string,
  artifacts: Pick<ArtifactStore, 'put'>,
  signal: AbortSignal,
): Promise<string[]> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    const matches = await findOutputs(pattern, folder, signal);
    if (matches.length === 0)
      throw new TaskFileError(`outputFiles: no file matches "${pattern}" in ${folder}`);
    for (const name of matches) names.add(name);
  }
  for (const name of names) {
    signal.throwIfAborted();
    const file = path.join(folder, name);
    const { size } = await stat(file);
    await artifacts.put(name, file, size);
  }
  return [...names];
}

async function findOutputs(pattern: string, folder: string, signal: AbortSignal): Promise<string[]> {
  placeWithin(folder, pattern, 'outputFiles');
  const glob = parseGlob(path.posix.normalize(pattern), { ignoreCase: process.platform !== 'linux' });
  if ('problem' in glob) throw new TaskFileError(`outputFiles: "${pattern.slice(0, 80)}" ${glob.problem}`);
  return await findFiles(folder, glob, signal);
}

/** Returns a path, which must be within the step's directory. */
function placeWithin(folder: string, name: string, field: string): string {
  const file = path.resolve(folder, name);
  if (file.startsWith(folder + path.sep) && !path.isAbsolute(name)) return file;
  throw new TaskFileError(`${field}: "${name}" is outside the working directory of the step`);
}
