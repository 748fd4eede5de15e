import { createWriteStream } from 'node:fs';
import { glob, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';

/** A file that a step needs, or that it should have made, and that is not to be had. */
export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

/** Where artifacts of the run come from and go to. Both resolve once that is done, however long nobody can be reached. */
export interface ArtifactStore {
  /** Undefined when the run has none of this name. */
  get(name: string): Promise<Readable | undefined>;
  put(name: string, file: string, bytes: number): Promise<void>;
}

/** Puts the artifacts that a step needs into its folder. Rejects with `TaskFileError` for one that is not there. */
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
        `inputFiles: the run has no artifact "${name}"; a step before this one has to name it in its outputFiles`,
      );
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(file));
  }
}

/**
 * Keeps what a step has made as artifacts of the run. Rejects with `TaskFileError` for a pattern that fits no file.
 * @returns names, relative to the folder
 */
export async function keepOutputs(
  patterns: readonly string[],
  folder: string,
  artifacts: Pick<ArtifactStore, 'put'>,
): Promise<string[]> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    const found = await findFiles(pattern, folder);
    if (found.length === 0)
      throw new TaskFileError(
        `outputFiles: no file fits "${pattern}" in ${folder}; the step has not made it`,
      );
    for (const name of found) names.add(name);
  }
  for (const name of names) {
    const file = path.join(folder, name);
    const { size } = await stat(file);
    await artifacts.put(name, file, size);
  }
  return [...names];
}

async function findFiles(pattern: string, folder: string): Promise<string[]> {
  placeWithin(folder, pattern, 'outputFiles');
  const found: string[] = [];
  for await (const name of glob(pattern, { cwd: folder })) {
    const known = await stat(path.join(folder, name));
    if (known.isFile()) found.push(name.replaceAll(path.sep, '/'));
  }
  return found.sort();
}

/** Files of a step lie in its folder. */
function placeWithin(folder: string, name: string, field: string): string {
  const file = path.resolve(folder, name);
  if (file.startsWith(folder + path.sep) && !path.isAbsolute(name)) return file;
  throw new TaskFileError(`${field}: "${name}" does not lie in the working directory of the step`);
}
