import type { TObject } from 'typebox';
import { Errors } from 'typebox/value';
import { AppError, fieldError } from '../base/errors.ts';
import { findNearest, truncate } from '../base/text.ts';
import { operations, streams, type OperationName, type StreamName } from '../contract/operations.ts';
import {
  dagNamePattern,
  dayPattern,
  fileNamePattern,
  folderPattern,
  hashPattern,
  receiverNamePattern,
  rowPattern,
  runIdPattern,
  secretNamePattern,
  tagPattern,
  userNamePattern,
} from '../base/ids.ts';

/**
 * Throws what is wrong with the input of an operation or stream.
 * @throws `bad_request` naming the field
 */
export function explainInput(name: OperationName | StreamName, input: unknown): never {
  const { input: schema }: { readonly input: TObject } = { ...operations, ...streams }[name];
  checkInput(schema, input);
  throw new AppError('bad_request', `Invalid input of ${name}.`);
}

/**
 * Validates an input.
 * @throws `bad_request` naming the field
 */
export function checkInput(schema: TObject, input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new AppError('bad_request', 'The request must be an object with the fields of the operation.');
  }
  const fieldNames = Object.keys(schema.properties);
  for (const field of Object.keys(input)) {
    if (!fieldNames.includes(field)) throw fieldError(field, formatUnknownField(field, fieldNames));
  }
  const defined = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const [first] = Errors(schema, defined);
  if (first === undefined) return;
  const missing =
    first.keyword === 'required'
      ? ((first.params as { requiredProperties?: string[] }).requiredProperties?.[0] ?? '')
      : '';
  const field = [first.instancePath.slice(1).replaceAll('/', '.'), missing]
    .filter((part) => part !== '')
    .join('.');
  if (missing !== '') throw fieldError(field, 'is missing');
  if (first.keyword === 'boolean') {
    const parent = first.schemaPath.slice(1, first.schemaPath.lastIndexOf('/'));
    const { properties = {} } = resolvePointer(schema, parent) as Partial<TObject>;
    throw fieldError(field, formatUnknownField(field.split('.').at(-1)!, Object.keys(properties)));
  }
  throw fieldError(field, formatValidationIssue(first, resolvePointer(defined, first.instancePath)));
}

function formatUnknownField(field: string, fieldNames: readonly string[]): string {
  const nearest = findNearest(field, fieldNames);
  if (nearest !== undefined) return `unknown field. Did you mean "${nearest}"?`;
  return fieldNames.length === 0
    ? 'unknown field. No fields are allowed here.'
    : `unknown field. Known fields: ${fieldNames.join(', ')}.`;
}

/** Returns the value at a JSON pointer into the input. */
function resolvePointer(input: unknown, pointer: string): unknown {
  let value = input;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A schema error. */
interface ValidationIssue {
  readonly keyword: string;
  readonly params: object;
  readonly message: string;
}

/** Descriptions of patterns, with the terms of the command line. */
const patternDescriptions: Readonly<Record<string, string>> = {
  [dagNamePattern]: 'must be 1 to 40 characters: letters, digits, "_", "." and "-"',
  [runIdPattern]: 'must be 1 to 64 characters: letters, digits, "-" and "_"',
  [fileNamePattern]:
    'must be 1 to 80 characters: letters, digits, "_", "." and "-", without a folder or ".yaml"',
  [folderPattern]: 'must be a relative path such as "etl/daily", without hidden folders',
  [tagPattern]: 'must not contain commas',
  [receiverNamePattern]:
    'must be 1 to 64 characters: letters, digits, "_", "." and "-", starting with a letter or digit',
  [secretNamePattern]: 'must be 1 to 128 characters: letters, digits and . _ - : / @',
  [userNamePattern]: 'must not contain spaces, colons or invisible characters',
  [dayPattern]: 'must be a date such as 2026-01-31',
  [hashPattern]: 'must be the hash returned with the source: 64 hexadecimal digits in lower case',
  [rowPattern]: 'must be an ID returned by the engine',
};

/** Descriptions of JSON types. */
const typeDescriptions: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Descriptions of size limits. Only the length of a string is shown, because it may be secret. */
const sizeDescriptions: Readonly<Record<string, (limit: number, value: unknown) => string>> = {
  minLength: (limit, value) =>
    limit === 1 ? 'must not be empty' : `must have at least ${limit} characters (has ${getSize(value)})`,
  maxLength: (limit, value) => `must have at most ${limit} characters (has ${getSize(value)})`,
  minItems: (limit, value) =>
    limit === 1
      ? 'must have at least 1 entry'
      : `must have at least ${limit} entries (has ${getSize(value)})`,
  maxItems: (limit, value) => `must have at most ${limit} entries (has ${getSize(value)})`,
  minimum: (limit, value) => `must be at least ${limit} (got ${formatValue(value)})`,
  maximum: (limit, value) => `must be at most ${limit} (got ${formatValue(value)})`,
};

const getSize = (value: unknown): number => (value as string | readonly unknown[]).length;

/** Describes what is wrong with a field and what to send instead, where the schema's message is not sufficient. */
export function formatValidationIssue({ keyword, params, message }: ValidationIssue, value: unknown): string {
  const { pattern = '', allowedValues = [] } = params as { pattern?: string; allowedValues?: unknown[] };
  if (keyword === 'enum') return `must be one of ${allowedValues.join(', ')} (got ${formatValue(value)})`;
  if (keyword === 'type') {
    const { type = '' } = params as { type?: string };
    return `must be ${typeDescriptions[type] ?? type} (got ${formatValue(value)})`;
  }
  const { limit } = params as { limit?: number };
  const size = limit === undefined ? undefined : sizeDescriptions[keyword]?.(limit, value);
  if (size !== undefined) return size;
  const isFolder = pattern === dagNamePattern && (value === '.' || value === '..');
  const advice = isFolder ? 'must not be "." or ".."' : patternDescriptions[pattern];
  return advice === undefined ? message : `${advice} (got ${formatValue(value)})`;
}

const formatValue = (value: unknown): string => truncate(JSON.stringify(value), 80);
