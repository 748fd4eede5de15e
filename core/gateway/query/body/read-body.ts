import type { CallBody } from '../../plan/request.ts';
import { parseMediaType } from '../headers/media-type.ts';
import type { Body } from '../query.ts';
import { readCsvBody } from './csv-body.ts';
import { readFormBody } from './form-body.ts';
import { decodeParameters } from '../scan/parameters.ts';
import { readShape, toBody } from './json-body.ts';
import { bodyError } from './body-error.ts';

const CSV = 'text/csv';
const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the body of POST, PATCH and PUT of a relation as JSON text.
 * @param columns value of `columns=`; if set, the keys are not checked and `keys` are these
 * @throws GatewayError PGRST102
 */
export function readBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  columns?: readonly string[],
): Body {
  const type = typeOf(contentType);
  const text = decodeText(bytes);
  if (isJson(type)) return toBody(text, readShape(text), columns);
  if (type !== CSV && type !== FORM)
    throw bodyError(
      `Content-Type not acceptable: ${type}`,
      undefined,
      `Acceptable: application/json, ${CSV}, ${FORM}.`,
    );
  const body = type === CSV ? readCsvBody(text) : readFormBody(text);
  return columns === undefined ? body : { ...body, keys: columns };
}

/**
 * Returns the body of a function call. An empty body is `{}`. Other JSON, text, XML and bytes are for functions that
 * take the whole body.
 * @param columns value of `columns=`
 * @throws GatewayError PGRST102
 */
export function readCallBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  columns?: readonly string[],
): CallBody {
  const type = typeOf(contentType);
  if (type === 'application/octet-stream')
    return { mediaType: 'bytes', text: `\\x${Buffer.from(bytes).toString('hex')}` };
  const text = decodeText(bytes);
  if (type === 'text/plain') return { mediaType: 'text', text: requireNoNul(text) };
  if (type === 'text/xml' || type === 'application/xml')
    return { mediaType: 'xml', text: requireNoNul(text) };
  if (isJson(type)) return readJsonCall(text, columns);
  if (type === FORM) {
    const form = decodeParameters(text.trim(), 'PGRST102');
    const fields = new Map(form.map(({ name, value }) => [name, value]));
    const json = JSON.stringify(Object.fromEntries(fields));
    const keys = columns ?? [...fields.keys()];
    return { mediaType: 'json', text: json, object: { json, isArray: false, keys, count: 1 }, form };
  }
  if (type === CSV) {
    const object = readBody(bytes, contentType, columns);
    return { mediaType: 'json', text: object.json, object };
  }
  throw bodyError(`Content-Type not acceptable: ${type}`);
}

function readJsonCall(sent: string, columns: readonly string[] | undefined): CallBody {
  const text = sent.trim() === '' ? '{}' : sent;
  const shape = readShape(text);
  const isWhole = shape.kind === 'other' || shape.hasOthers;
  // A function cannot have this many parameters.
  if (isWhole || (shape.hasTooManyKeys && columns === undefined)) return { mediaType: 'json', text };
  return { mediaType: 'json', text, object: toBody(text, shape, columns) };
}

/** Returns the media type. Default: JSON. */
function typeOf(contentType: string | undefined): string {
  const text = contentType?.trim() ?? '';
  return text === '' ? 'application/json' : (parseMediaType(text)?.type ?? text);
}

const isJson = (type: string): boolean =>
  type === 'application/json' ||
  type === 'application/vnd.pgrst.object+json' ||
  type === 'application/vnd.pgrst.object' ||
  type === 'application/vnd.pgrst.array+json' ||
  type === 'application/vnd.pgrst.array';

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bodyError('The body is not valid UTF-8');
  }
}

function requireNoNul(text: string): string {
  if (text.includes('\0')) throw bodyError('The body contains a NUL character, which strings cannot contain');
  return text;
}
