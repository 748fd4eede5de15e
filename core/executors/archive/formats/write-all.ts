import type { FileHandle } from 'node:fs/promises';

/** Writes a whole chunk at the file's current position, with as many writes as needed. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}
