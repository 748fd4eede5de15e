import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { describeFileFault } from '../../base/text/describe-file-fault.ts';

/** A file that is there and is not the text that was looked for; the message is the part after the file's name. */
export class UnreadableTextError extends Error {
  override readonly name = 'UnreadableTextError';
}

/** Whether something lies at a path: a folder and a pipe too, but nothing that a missing folder hides. */
export function kindOfFile(file: string): 'missing' | 'file' | 'other' {
  try {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts === undefined) return 'missing';
    return facts.isFile() ? 'file' : 'other';
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'missing';
    throw cannotBeRead(thrown);
  }
}

/**
 * The text of a UTF-8 file, without its byte order mark. Throws `UnreadableTextError` when it is no file, cannot be
 * read, is larger than `maxBytes`, or is no text. A pipe is not waited for.
 */
export function readTextFile(file: string, maxBytes: number): string {
  const kind = kindOfFile(file);
  if (kind === 'missing') throw new UnreadableTextError('does not exist. Create the file');
  if (kind === 'other') throw new UnreadableTextError('is not a file. Use a file');
  return decodeText(readBounded(file, maxBytes), maxBytes);
}

/**
 * Bytes as UTF-8 text, without its byte order mark. Throws `UnreadableTextError` for more than `maxBytes` bytes, and
 * for what is no text.
 */
export function decodeText(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes)
    throw new UnreadableTextError(`is larger than ${maxBytes / 1024 / 1024} MiB. Use a smaller file`);
  if (bytes.includes(0))
    throw new UnreadableTextError('is a binary file: it contains a NUL byte. Use a text file');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableTextError('is not valid UTF-8. Save it in UTF-8 encoding');
  }
}

/** At most one byte more than is allowed, which tells that there is more. */
function readBounded(file: string, maxBytes: number): Buffer {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const buffer = Buffer.alloc(Math.min(maxBytes, fstatSync(handle).size) + 1);
    let length = 0;
    for (;;) {
      const count = readSync(handle, buffer, length, buffer.length - length, null);
      length += count;
      if (count === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } catch (thrown) {
    throw cannotBeRead(thrown);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const cannotBeRead = (thrown: unknown): UnreadableTextError =>
  new UnreadableTextError(`cannot be read: ${describeFileFault(thrown)}`);
