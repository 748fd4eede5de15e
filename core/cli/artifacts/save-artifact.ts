import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { formatFsError } from '../../base/text/format-fs-error.ts';
import { checkArtifactName } from '../../model/run/artifact-name.ts';

/** Target directory of an artifact. */
export interface SaveTarget {
  /** Absolute; `dir` is relative to it. */
  readonly cwd: string;
  readonly dir: string;
  readonly name: string;
}

/**
 * Saves bytes in a directory under the artifact's name, atomically, and replaces an existing file. Throws
 * `bad_request` for a name outside the directory, which a server could send, and for a file that cannot be written.
 * @returns the path relative to the current directory
 */
export async function saveArtifact(
  content: AsyncIterable<Uint8Array>,
  { cwd, dir, name }: SaveTarget,
): Promise<string> {
  const shown = path.join(dir, ...checkArtifactName(name).split('/'));
  const file = path.resolve(cwd, shown);
  const draft = `${file}.part-${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(draft));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', `Cannot write ${shown}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
  return shown;
}
