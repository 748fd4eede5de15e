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
    const filePath = path.resolve(folder, file);
    total += await sizeOf(filePath);
    if (total > maxBytes) {
      throw new Error(
        `Mail not sent: the attachments exceed ${maxBytes / 1024 / 1024} MiB with ${filePath}. Send a link to the file instead.`,
      );
    }
    read.push({ name: path.basename(filePath), content: await readFile(filePath, { signal }) });
  }
  return read;
}

async function sizeOf(filePath: string): Promise<number> {
  const stats = await stat(filePath).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${explainFsError(error).problem})`;
    throw new Error(`Mail not sent: the attachment ${filePath} ${reason}. Check config.attachments.`);
  });
  if (stats.isFile()) return stats.size;
  throw new Error(
    `Mail not sent: the attachment ${filePath} is not a file. Attach a file, or pack the folder first.`,
  );
}
