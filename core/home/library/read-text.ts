import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { AppError, explainFsError } from '../../base/errors.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { createLineMap } from '../../spec/source.ts';
import { formatTooLarge, MAX_FILE_BYTES } from '../../spec/limits.ts';

/** The text of a file; empty with one diagnostic if the content is not text. */
export interface FileText {
  readonly text: string;
  readonly problem?: Diagnostic;
}

/**
 * Reads a workflow or base configuration, up to the maximum size.
 * @throws `not_found` or `home_unusable`
 */
export function readText(file: string): FileText {
  const bytes = readUpToLimit(file);
  if (bytes === undefined) return { text: '', problem: tooLarge(file) };
  const text = decodeUtf8(bytes);
  return text === undefined ? { text: '', problem: invalidTextDiagnostic(file, bytes) } : { text };
}

function readUpToLimit(file: string): Buffer | undefined {
  const handle = openFile(file);
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory())
      throw new AppError('not_found', `"${file}" is a directory. Specify a workflow file in it.`);
    // A pipe has no size, and a file may grow while it is read.
    let buffer = Buffer.allocUnsafe(Math.min(stats.size, MAX_FILE_BYTES) + 1);
    let length = 0;
    for (;;) {
      const count = readSync(handle, buffer, length, buffer.length - length, null);
      length += count;
      if (count === 0 || length > MAX_FILE_BYTES) break;
      if (length === buffer.length) buffer = growBuffer(buffer);
    }
    return length > MAX_FILE_BYTES ? undefined : buffer.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

function growBuffer(full: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * full.length, 65_536), MAX_FILE_BYTES + 1));
  full.copy(larger);
  return larger;
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new AppError('not_found', `Workflow file "${file}" not found.`);
    const { problem, remedy } = explainFsError(error);
    throw new AppError('home_unusable', `Cannot read ${file}: ${problem}.`, {
      cause: error,
      ...(remedy !== undefined && { details: { hint: remedy } }),
    });
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function tooLarge(file: string): Diagnostic {
  const message = formatTooLarge(statSync(file).size) ?? 'The file is too large.';
  return { severity: 'error', message, file, line: 1, column: 1, path: '' };
}

/** Returns a diagnostic at the line of the first invalid byte, so that it can be found in a long file. */
function invalidTextDiagnostic(file: string, bytes: Buffer): Diagnostic {
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    const { line } = createLineMap(bytes.subarray(0, zero).toString('latin1')).locate(zero);
    const message = 'This is a binary file, not YAML: it contains a NUL byte.';
    return { severity: 'error', message, file, line, column: 1, path: '' };
  }
  const text = bytes.toString('utf8');
  const { line, column } = createLineMap(text).locate(text.indexOf('\uFFFD'));
  const message = 'Invalid UTF-8. Save the file in UTF-8 encoding.';
  return { severity: 'error', message, file, line, column, path: '' };
}
