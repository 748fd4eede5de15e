import type { FileHandle } from 'node:fs/promises';

/** Writes all of a chunk at the file's place, however many writes that takes. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}
