import Type, { type TObject, type TSchema } from 'typebox';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text/nearest.ts';
import { listPathFields, sendsInputInQuery } from '../../contract/transport/http-wire.ts';
import { coerceText } from './coerce-text.ts';

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
      coerceText(field, schemaOf(properties, field), [parsed.pathValues[field] ?? '']),
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
    values[field] = coerceText(field, schemaOf(properties, field), query.getAll(field));
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

function schemaOf(properties: Readonly<Record<string, TSchema>>, field: string): TSchema {
  return properties[field] ?? Type.String();
}
