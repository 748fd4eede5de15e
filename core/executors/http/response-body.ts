import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, readdir } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { pipeline as pipelineOfSaveBody } from 'node:stream/promises';
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { formatFsError } from '../../base/errors.ts';
import { processExists } from '../../process/kill.ts';
import { hasProcessTable, isAlive, readPidStart } from '../../process/process-table.ts';
import type { Watch, HttpRequest } from './exchange.ts';
import { HttpFailure } from './explain-error.ts';

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
};

/**
 * Decodes the Content-Encoding of a body and deletes the related header fields. A body is left encoded if the step set
 * Accept-Encoding itself.
 */
export function decodeBody(request: HttpRequest, response: IncomingMessage): Readable {
  const { headers, statusCode } = response;
  const decoder = decoders[headers['content-encoding']?.toLowerCase() ?? ''];
  const isEmpty =
    request.method === 'HEAD' ||
    statusCode === 204 ||
    statusCode === 304 ||
    headers['content-length'] === '0';
  if (decoder === undefined || isEmpty || request.headers['accept-encoding'] !== undefined) return response;
  delete headers['content-encoding'];
  delete headers['content-length'];
  // The reader of the result receives the errors.
  return pipeline(response, decoder(), () => {});
}

/** Reports the number of bytes read to the watch. */
export async function* reportBytes(body: AsyncIterable<Buffer>, watch: Watch): AsyncGenerator<Buffer> {
  let bytes = 0;
  const enter = (): void => watch.enter(`reading the response body (${bytes} bytes received)`);
  enter();
  for await (const chunk of body) {
    // After an abort, buffered data is not passed on.
    watch.signal.throwIfAborted();
    bytes += chunk.length;
    enter();
    yield chunk;
  }
}

/**
 * Reads a body as text in the charset of its Content-Type, else UTF-8, and passes on each part as it arrives.
 * @returns whether it was truncated at `limit` bytes; the rest is not read and the connection is closed
 */
export async function readText(
  response: IncomingMessage,
  body: AsyncIterable<Buffer>,
  limit: number,
  handOn: (text: string) => void,
): Promise<boolean> {
  const decoder = openDecoder(response.headers['content-type'] ?? '');
  let remaining = limit;
  for await (const chunk of body) {
    handOn(decoder.decode(chunk.subarray(0, remaining), { stream: true }));
    if (chunk.length > remaining) return true;
    remaining -= chunk.length;
  }
  handOn(decoder.decode());
  return false;
}

function openDecoder(contentType: string): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Maximum length of a body in an error message, in UTF-16 code units. */
const excerptLength = 500;

/** Formats the status line and header fields as received, followed by an empty line. */
export function formatHead({ httpVersion, statusCode, statusMessage, headers }: IncomingMessage): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? ''].flat().map((each) => `${name}: ${each}`),
  );
  return [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`.trimEnd(), ...lines, '', ''].join('\n');
}

/** Formats the response for `json: true`. A JSON body is inserted unchanged, so that numbers keep all digits. */
export function formatJson(
  response: IncomingMessage,
  body: string | undefined,
  saved?: { file: string; bytes: number },
): string {
  const { statusCode, headers } = response;
  const type = headers['content-type'] ?? '';
  const head = JSON.stringify({ status_code: statusCode, headers }).slice(0, -1);
  const shown = body === undefined ? 'null' : isJson(type, body) ? body.trim() : JSON.stringify(body);
  const tail = saved === undefined ? '' : `,${JSON.stringify(saved).slice(1, -1)}`;
  return `${head},"body":${shown}${tail}}\n`;
}

function isJson(contentType: string, body: string): boolean {
  if (!/[/+]json\b/i.test(contentType) && !/^\s*[[{]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Whether the status code means success (RFC 9110, 15.3). */
export const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean =>
  statusCode >= 200 && statusCode <= 299;

/**
 * Explains why a response counts as failed.
 * @param body the part of the body that was read
 */
export function formatErrorResponse(
  { statusCode = 0, statusMessage, headers }: IncomingMessage,
  body: string,
): string {
  const words = statusMessage || STATUS_CODES[statusCode] || '';
  const statusLine = `the server responded with ${`${statusCode} ${words}`.trimEnd()}`;
  if (headers.location !== undefined && statusCode >= 300 && statusCode <= 399)
    return `${statusLine} and a redirect to ${headers.location}, but config.maxRedirects is 0`;
  const excerpt = makeExcerpt(body);
  return excerpt === '' ? `${statusLine} without a body` : `${statusLine}: ${excerpt}`;
}

/** Returns the start of a string on one line, without control characters. */
function makeExcerpt(text: string): string {
  const line = text
    .slice(0, 4 * excerptLength)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}

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
    await pipelineOfSaveBody(body, file, { signal });
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

/** Identifies this machine among machines that share the folder. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * Returns the prefix of the names of partial files for a path. Truncated, because file names have a length limit in
 * bytes.
 */
const prefixFor = (path: string): string => `.${basename(path).slice(0, 40)}.${machine}-`;

/**
 * Returns the temporary path of a file until it is complete, in the same folder. The name identifies the process that
 * writes it.
 */
export function namePartFile(path: string): string {
  const owner = `${process.pid}-${readPidStart(process.pid)}`;
  return join(dirname(path), `${prefixFor(path)}${owner}-${randomBytes(4).toString('hex')}.part`);
}

const ownerAndRest = /^(\d+)-(\d*)-[0-9a-f]{8}\.part$/;

/** Deletes partial files next to a path that killed engines of this machine have left. Never rejects. */
export async function removeStaleParts(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = prefixFor(path);
  try {
    for (const name of await readdir(folder)) {
      const [, pid, pidStart = ''] =
        ownerAndRest.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
      if (pid !== undefined && hasOwnerEnded(Number(pid), pidStart))
        await rm(join(folder, name), { force: true });
    }
  } catch {
    // If the folder is not readable or writable, writing the file reports the error.
  }
}

const hasOwnerEnded = (pid: number, pidStart: string): boolean =>
  hasProcessTable ? !isAlive({ pid, pidStart }) : !processExists(pid);
