import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { AppError, getErrorMessage } from '../base/errors.ts';
import {
  findJsonIssue,
  formatJsonIssue,
  formatExceededJsonLimit,
  findExceededJsonLimit,
  LARGE_JSON,
} from '../base/json.ts';

/** Accepts only JSON bodies, or none. The error for invalid JSON contains the position. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const excess = findExceededJsonLimit(body);
    if (body === '') done(null, undefined);
    else if (excess !== undefined) done(excess === 'levels' ? tooDeepError() : tooManyValuesError(excess));
    else
      void parse(request, body, (error, value) => {
        // Two immediates, as in `nextTurn`.
        if (error) done(findBodyError(body) ?? error);
        else if (body.length > LARGE_JSON) setImmediate(() => setImmediate(done, null, value));
        else done(null, value);
      });
  });
}

/** Returns the error for an invalid body; undefined for valid JSON, whose error is then about forbidden keys. */
function findBodyError(body: string): AppError | undefined {
  const problem = findJsonIssue(body);
  if (problem === undefined) return isJson(body) ? undefined : tooDeepError();
  const { line, column } = problem;
  return new AppError('bad_request', `Invalid JSON in the request body: ${formatJsonIssue(problem)}.`, {
    details: { line, column },
  });
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const tooManyValuesError = (excess: 'values' | 'keys'): AppError =>
  new AppError(
    'payload_too_large',
    `The request body ${formatExceededJsonLimit(excess)}. Send smaller requests.`,
  );

const tooDeepError = (): AppError =>
  new AppError('bad_request', 'Invalid JSON in the request body: nested too deep.');

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
    const message = `The request body does not match its Content-Encoding "${named}": ${getErrorMessage(error)}.`;
    throw new AppError('bad_request', message, { cause: error });
  }
}

const throwSchemaError = (): never => {
  throw new Error('Routes must not have a Fastify schema. Define schemas in core/contract.');
};

/**
 * `schemaController` of every Fastify server: no route uses Fastify schemas, and loading their compilers takes longer
 * than the rest of Fastify. The build excludes them (scripts/build/bundle-plugins.ts).
 */
export const withoutSchemas = {
  compilersFactory: { buildValidator: throwSchemaError, buildSerializer: throwSchemaError },
};
