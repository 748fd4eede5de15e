import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { describeFileFault } from '../../base/text/describe-file-fault.ts';
import { checkArtifactName } from '../../model/run/artifact-name.ts';

/** Target directory of an artifact. */
export interface SavePlace {
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
  { cwd, dir, name }: SavePlace,
): Promise<string> {
  const shown = path.join(dir, ...checkArtifactName(name).split('/'));
  const file = path.resolve(cwd, shown);
  const draft = `${file}.part-${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(draft));
    await rename(draft, file);
  } catch (thrown) {
    await rm(draft, { force: true }).catch(() => {});
    if (thrown instanceof AppError) throw thrown;
    throw new AppError('bad_request', `Cannot write ${shown}: ${describeFileFault(thrown)}`, {
      cause: thrown,
    });
  }
  return shown;
}
