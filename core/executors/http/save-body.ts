import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { formatFsError } from '../../base/text/format-fs-error.ts';
import { HttpFailure } from './http-failure.ts';
import { namePartFile, removeStaleParts } from './part-file.ts';

/**
 * Saves a body to a file under a temporary name in the same folder, and renames it when it is complete. Deletes the
 * temporary file on failure. Creates missing folders.
 * @returns the number of bytes
 */
export async function saveBody(
  body: AsyncIterable<Buffer>,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  const folder = dirname(path);
  const temporary = namePartFile(path);
  try {
    await mkdir(folder, { recursive: true });
    await removeStaleParts(path);
    const file = createWriteStream(temporary, { flags: 'wx' });
    await pipeline(body, file, { signal });
    await rename(temporary, path);
    return file.bytesWritten;
  } catch (error) {
    // The temporary file may not exist.
    await rm(temporary, { force: true }).catch(() => {});
    throw isFileError(error)
      ? new HttpFailure(`cannot save the response body to ${path}: ${formatFsError(error)}`)
      : error;
  }
}

/** Network errors have no path. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  ('path' in error || /^(?:ENOSPC|EFBIG|EDQUOT|EIO)$/.test(String((error as NodeJS.ErrnoException).code)));
