import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AppError, messageOf } from '../base/errors.ts';

const [gunzipAll, inflateAll, brotliAll] = [
  promisify(gunzip),
  promisify(inflate),
  promisify(brotliDecompress),
];

const decoders: Readonly<Record<string, typeof gunzipAll>> = {
  gzip: gunzipAll,
  'x-gzip': gunzipAll,
  deflate: inflateAll,
  br: brotliAll,
};

/** Supported `Content-Encoding` values, for `Accept-Encoding` of an error (RFC 9110, 12.5.3). */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Decompresses a body.
 * @param encoding `Content-Encoding` header
 * @param maxBytes maximum decoded size, because few bytes can decode to gigabytes
 * @throws AppError `unsupported_media_type` for an unknown encoding or several; `payload_too_large`; `bad_request` for
 * invalid data
 */
export async function decodeBody<Body extends Uint8Array>(
  body: Body,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Body | Buffer> {
  const named = (encoding ?? '').trim().toLowerCase();
  if (named === '' || named === 'identity' || body.length === 0) return body;
  const decode = Object.hasOwn(decoders, named) ? decoders[named] : undefined;
  if (decode === undefined) {
    throw new AppError(
      'unsupported_media_type',
      `Unsupported Content-Encoding ${JSON.stringify(encoding)}. Use no encoding, or one of ${acceptedEncodings}.`,
    );
  }
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `The decoded request body exceeds the limit of ${maxBytes} bytes.`;
      throw new AppError('payload_too_large', message, { cause: error });
    }
    const message = `The request body does not match its Content-Encoding "${named}": ${messageOf(error)}.`;
    throw new AppError('bad_request', message, { cause: error });
  }
}
