import { parse } from 'csv-parse/sync';
import { truncate } from '../../base/text.ts';
import { explainInvalidJson } from '../../base/json.ts';
import { parseMediaType } from './headers.ts';
import type { Body, CallBody } from './query.ts';
import { decodeParameters } from './parameters.ts';
import { bodyError, MAX_KEYS, JsonScanner, type JsonShape } from './json-shape.ts';

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
  const type = getType(contentType);
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
  const type = getType(contentType);
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
function getType(contentType: string | undefined): string {
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

/**
 * Parses a form body into one object with strings.
 * @throws GatewayError PGRST102 for a duplicate field or invalid UTF-8
 */
function readFormBody(text: string): Body {
  const fields = new Map<string, string>();
  for (const { name, value } of decodeParameters(text.trim(), 'PGRST102')) {
    if (fields.has(name)) throw bodyError('Duplicate form field', JSON.stringify(name));
    fields.set(name, value);
  }
  const json = JSON.stringify(Object.fromEntries(fields));
  return { json, isArray: false, keys: [...fields.keys()], count: 1 };
}

/**
 * Parses a CSV body, with column names in the first line, into an array of objects with strings. Unquoted `NULL` is
 * null.
 * @throws GatewayError PGRST102 for lines of different length, invalid quotes and duplicate columns
 */
function readCsvBody(text: string): Body {
  const [header, ...rows] = parseCsv(text);
  if (header === undefined)
    throw bodyError('Empty or invalid csv', 'The first line must contain the column names.');
  const keys = header.map((cell) => cell ?? 'NULL');
  if (keys.length > MAX_KEYS)
    throw bodyError('Empty or invalid csv', `The first line has more than ${MAX_KEYS} columns.`);
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  if (twice !== undefined)
    throw bodyError('Empty or invalid csv', `Duplicate column in the first line: ${truncate(twice, 100)}.`);
  const literals = keys.map((key) => JSON.stringify(key));
  const objects = rows.map(
    (row) => `{${row.map((cell, index) => `${literals[index]}:${JSON.stringify(cell)}`).join(',')}}`,
  );
  return { json: `[${objects.join(',')}]`, isArray: true, keys, count: rows.length };
}

function parseCsv(text: string): readonly (readonly (string | null)[])[] {
  try {
    return parse(text, {
      skip_empty_lines: true,
      cast: (cell, { quoting }) => (cell === 'NULL' && !quoting ? null : cell),
    });
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error);
    if ((error as { code?: unknown }).code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
      throw bodyError('All lines must have same number of fields', details);
    throw bodyError('Empty or invalid csv', details);
  }
}

/**
 * Scans the keys of a JSON text.
 * @throws GatewayError PGRST102 if it is not JSON
 */
export function readShape(text: string): JsonShape {
  try {
    JSON.parse(text);
  } catch {
    throw bodyError('Empty or invalid json', explainInvalidJson(text));
  }
  return new JsonScanner(text).scan();
}

/**
 * Converts JSON to rows. All objects must have the same keys without duplicates, because the database would take the
 * last duplicate, and null for a missing key.
 * @param columns value of `columns=`; if set, the keys are not checked
 * @throws GatewayError PGRST102
 */
export function toBody(text: string, shape: JsonShape, columns?: readonly string[]): Body {
  if (shape.kind === 'other') throw bodyError('The body must be a JSON object or an array of JSON objects');
  if (shape.hasOthers)
    throw bodyError('All object keys must match', 'The array contains an item that is not an object.');
  if (shape.hasTooManyKeys && columns === undefined)
    throw bodyError(
      `An object has more than ${MAX_KEYS} keys`,
      undefined,
      'Select the columns to write with columns=.',
    );
  return {
    json: text,
    isArray: shape.kind === 'array',
    keys: columns ?? assertSameKeys(shape.keys),
    count: shape.keys.length,
  };
}

function assertSameKeys(objects: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = objects;
  const keys = new Set(first);
  if (keys.size < first.length) throw bodyError(...explainDuplicateKey(first, 0));
  for (const [index, object] of objects.entries()) {
    if (object.length === first.length && object.every((key, position) => key === first[position])) continue;
    const seenKeys = new Set(object);
    if (seenKeys.size < object.length) throw bodyError(...explainDuplicateKey(object, index));
    const odd = [...keys.symmetricDifference(seenKeys)][0];
    if (odd === undefined) continue;
    throw bodyError(
      'All object keys must match',
      `Only some objects have the key ${JSON.stringify(odd)}: object ${index + 1} of ${objects.length} differs from the first.`,
      'Select the columns to write with columns=.',
    );
  }
  return first;
}

function explainDuplicateKey(keys: readonly string[], index: number): [string, string] {
  const seen = new Set<string>();
  const twice = keys.find((key) => seen.size === seen.add(key).size);
  return ['Duplicate key in an object', `${JSON.stringify(twice)} of object ${index + 1}.`];
}
