import { open, type FileHandle } from 'node:fs/promises';
import { ArchiveError, quote, toArchiveError } from './archive-error.ts';
import type { OpenArchive } from './entries/entry.ts';
import { openArchive, verifyArchive } from './formats/open-archive.ts';
import type { ArchiveJob } from './job.ts';
import { openFlags } from './open-flags.ts';

const endMissing = 'the archive has no end marker and may be truncated';

/**
 * Opens the archive that a job reads, runs work with it and closes it. Verifies the archive first if the job asks for
 * it.
 */
export async function readSource<Value>(
  job: ArchiveJob,
  work: (archive: OpenArchive) => Promise<Value>,
): Promise<Value> {
  const path = job.sources[0]!;
  let file: FileHandle;
  try {
    file = await open(path, openFlags.read);
  } catch (error) {
    throw toArchiveError(error, `archive ${quote(path)}`);
  }
  try {
    const { format, password, maxRatio, maxEntries, signal } = job;
    const onEndMissing = (): void => job.warn(`warning: ${endMissing}`);
    const options = { path, format, password, maxRatio, maxEntries, signal, onEndMissing };
    if (job.verifyIntegrity)
      await verifyArchive(await openArchive(file, { ...options, onEndMissing: throwMissingEnd }));
    return await work(await openArchive(file, options));
  } finally {
    await file.close();
  }
}

/** Used with `verifyIntegrity`, where a missing end marker is an error. */
export function throwMissingEnd(): never {
  throw new ArchiveError('damaged', endMissing);
}
