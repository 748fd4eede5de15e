import { open, type FileHandle } from 'node:fs/promises';
import { ArchiveError, quote, toArchiveError } from './archive-error.ts';
import type { OpenArchive } from './entries/entry.ts';
import { openArchive, verifyArchive } from './formats/open-archive.ts';
import type { ArchiveJob } from './job.ts';
import { openFlags } from './open-flags.ts';

const endMissing = 'the archive has no end marker and may be truncated';

/** Does work with the archive that a job reads, which is closed afterwards; checked first when the job says so. */
export async function readSource<Value>(
  job: ArchiveJob,
  work: (archive: OpenArchive) => Promise<Value>,
): Promise<Value> {
  const path = job.sources[0]!;
  let file: FileHandle;
  try {
    file = await open(path, openFlags.read);
  } catch (thrown) {
    throw toArchiveError(thrown, `archive ${quote(path)}`);
  }
  try {
    const { format, password, maxRatio, maxEntries, signal } = job;
    const onEndMissing = (): void => job.warn(`warning: ${endMissing}`);
    const options = { path, format, password, maxRatio, maxEntries, signal, onEndMissing };
    if (job.verifyIntegrity)
      await verifyArchive(await openArchive(file, { ...options, onEndMissing: refuseMissingEnd }));
    return await work(await openArchive(file, options));
  } finally {
    await file.close();
  }
}

/** For those who want to be sure. */
export function refuseMissingEnd(): never {
  throw new ArchiveError('damaged', endMissing);
}
