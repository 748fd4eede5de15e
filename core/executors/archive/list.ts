import { stopped } from './archive-error.ts';
import type { OpenArchive } from './entries/entry.ts';
import type { ArchiveJob } from './job.ts';
import type { Summary } from './summary.ts';

/** Lists an archive. Names are shown as they are: nothing is written, so unsafe names are not rejected. */
export async function listArchive(archive: OpenArchive, job: ArchiveJob, summary: Summary): Promise<void> {
  for await (const { name, kind, size, mode, modified, isEncrypted } of archive.entries()) {
    if (job.signal.aborted) throw stopped();
    const segments = name.split('/').filter((part) => part !== '' && part !== '.');
    if (!job.selection.selects(segments)) {
      summary.skip();
      continue;
    }
    summary.add({ name, type: kind, size, mode, modified, isEncrypted });
    job.notify(name);
  }
}
