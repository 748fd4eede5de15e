import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { explainFsError } from '../../base/text/format-fs-error.ts';
import type { Attachment } from '../../mail/mail.ts';

/** Maximum total size of attachments in bytes; most servers accept less than half of it. */
const maxBytes = 50 * 1024 * 1024;

/**
 * Reads the attachments. Rejects with an error that names a file that is missing, not a file, or over the size limit.
 * @param folder base of relative paths
 */
export async function readAttachments(
  files: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<Attachment[]> {
  const wanted = files.map((file) => file.trim()).filter((file) => file !== '');
  const read: Attachment[] = [];
  let total = 0;
  for (const file of wanted) {
    const place = path.resolve(folder, file);
    total += await sizeOf(place);
    if (total > maxBytes) {
      throw new Error(
        `Mail not sent: the attachments exceed ${maxBytes / 1024 / 1024} MiB with ${place}. Send a link to the file instead.`,
      );
    }
    read.push({ name: path.basename(place), content: await readFile(place, { signal }) });
  }
  return read;
}

async function sizeOf(place: string): Promise<number> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${explainFsError(error).fault})`;
    throw new Error(`Mail not sent: the attachment ${place} ${reason}. Check config.attachments.`);
  });
  if (found.isFile()) return found.size;
  throw new Error(
    `Mail not sent: the attachment ${place} is not a file. Attach a file, or pack the folder first.`,
  );
}
