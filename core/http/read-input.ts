import Type, { type TObject, type TSchema, IsArray, IsBoolean, IsInteger, IsNumber } from 'typebox';
import { AppError } from '../base/errors.ts';
import { findNearest, truncate } from '../base/text.ts';
import { listPathFields, sendsInputInQuery } from '../contract/transport.ts';

/** Request parts with an operation's input. */
export interface ParsedInput {
  /** Raw path and query. */
  readonly url: string;
  /** Decoded path parameters by name. */
  readonly pathValues: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown;
}

/** Operation properties that define the source of its input. */
export interface InputSource {
  readonly method: string;
  readonly path: string;
  readonly input: TObject;
}

/**
 * Builds an operation's input from path, query and body. Strings of path and query are converted to the schema's
 * types; the engine API validates the values. Throws `bad_request` with the field name.
 */
export function readInput(source: InputSource, parsed: ParsedInput): Record<string, unknown> {
  const { properties } = source.input;
  const pathFields = listPathFields(source.path);
  const fromPath = Object.fromEntries(
    pathFields.map((field) => [
      field,
      coerceText(field, getSchema(properties, field), [parsed.pathValues[field] ?? '']),
    ]),
  );
  const queryFields = sendsInputInQuery(source.method)
    ? Object.keys(properties).filter((field) => !pathFields.includes(field))
    : [];
  const fromQuery = readQuery(parsed.url, properties, queryFields);
  return { ...readBody(parsed.body), ...fromQuery, ...fromPath };
}

function readQuery(
  url: string,
  properties: Readonly<Record<string, TSchema>>,
  fields: readonly string[],
): Record<string, unknown> {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return {};
  const query = new URLSearchParams(url.slice(queryStart + 1));
  const values: Record<string, unknown> = {};
  for (const field of new Set(query.keys())) {
    if (!fields.includes(field)) throw unknownFieldError(field, fields);
    values[field] = coerceText(field, getSchema(properties, field), query.getAll(field));
  }
  return values;
}

function unknownFieldError(field: string, known: readonly string[]): AppError {
  const nearest = findNearest(field, known);
  const advice =
    known.length === 0
      ? 'this operation has no query parameters'
      : `${nearest ? `did you mean \`${nearest}\`? ` : ''}Valid parameters: ${known.map((name) => `\`${name}\``).join(', ')}`;
  return new AppError('bad_request', `Unknown query parameter \`${field}\`: ${advice}.`, {
    details: { field },
  });
}

function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('bad_request', 'The request body must be a JSON object.');
  }
  return { ...body };
}

function getSchema(properties: Readonly<Record<string, TSchema>>, field: string): TSchema {
  return properties[field] ?? Type.String();
}

/**
 * Converts the strings of a path or query field to the schema's type: an array from repeated or comma-separated
 * values, otherwise exactly one value. Throws `bad_request` with the field name if invalid.
 */
export function coerceText(field: string, schema: TSchema, texts: readonly string[]): unknown {
  if (IsArray(schema)) {
    const names = texts.flatMap((text) => text.split(',')).filter((part) => part !== '');
    return names.map((part) => coerceValue(field, schema.items, part));
  }
  const [text, ...more] = texts;
  if (text === undefined || more.length > 0)
    throw coercionError(field, `is set ${texts.length} times but allowed only once`);
  return coerceValue(field, schema, text);
}

function coerceValue(field: string, schema: TSchema, text: string): unknown {
  if (IsInteger(schema)) return coerceInteger(field, text);
  if (IsNumber(schema)) return coerceNumber(field, text);
  if (IsBoolean(schema)) return coerceBoolean(field, text);
  return text;
}

function coerceInteger(field: string, text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw coercionError(field, `must be a whole number, not ${quote(text)}`);
  }
  return value;
}

function coerceNumber(field: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw coercionError(field, `must be a number, not ${quote(text)}`);
  return value;
}

function coerceBoolean(field: string, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw coercionError(field, `must be \`true\` or \`false\`, not ${quote(text)}`);
}

const quote = (text: string): string => JSON.stringify(truncate(text, 80));

const coercionError = (field: string, problem: string): AppError =>
  new AppError('bad_request', `\`${field}\` ${problem}.`, { details: { field } });
