import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { describeFileFault } from '../../base/text/describe-file-fault.ts';
import { checkArtifactName } from '../../model/run/artifact-name.ts';

/** Where an artifact is saved. */
export interface SavePlace {
  /** Absolute; `dir` counts from it. */
  readonly cwd: string;
  readonly dir: string;
  readonly name: string;
}

/**
 * Saves bytes below a folder under the artifact's name, whole or not at all; what is there of that name is replaced.
 * Throws `bad_request` for a name that leads elsewhere, which a server may send, and for a file that cannot be written.
 * @returns its path as a person would type it
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
