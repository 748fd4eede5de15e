import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Watch } from './watch.ts';
import type { HttpRequest } from './exchange.ts';

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
};

/**
 * The body as it was before it was packed for the way. It is left as it is when the step asked for an encoding
 * itself. The header fields that told of the encoding are removed then.
 */
export function unpackBody(request: HttpRequest, response: IncomingMessage): Readable {
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
  // The reader of the result learns of errors.
  return pipeline(response, decoder(), () => {});
}

/** Tells the watch how far the body has come. */
export async function* reportBytes(body: AsyncIterable<Buffer>, watch: Watch): AsyncGenerator<Buffer> {
  let bytes = 0;
  const enter = (): void => watch.enter(`reading the response body (${bytes} bytes received)`);
  enter();
  for await (const chunk of body) {
    // What had been read when the step was ended is not handed on any more.
    watch.signal.throwIfAborted();
    bytes += chunk.length;
    enter();
    yield chunk;
  }
}

/**
 * Reads a body as text, in the charset of its Content-Type, else UTF-8; hands on each part as it comes.
 * @returns whether it was cut at `limit` bytes; the rest is not read and the connection closed
 */
export async function readText(
  response: IncomingMessage,
  body: AsyncIterable<Buffer>,
  limit: number,
  handOn: (text: string) => void,
): Promise<boolean> {
  const decoder = openDecoder(response.headers['content-type'] ?? '');
  let left = limit;
  for await (const chunk of body) {
    handOn(decoder.decode(chunk.subarray(0, left), { stream: true }));
    if (chunk.length > left) return true;
    left -= chunk.length;
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
