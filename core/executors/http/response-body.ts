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
