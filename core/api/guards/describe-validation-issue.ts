import { truncate } from '../../base/text/truncate.ts';
import {
  dagNamePattern,
  dayPattern,
  fileNamePattern,
  hashPattern,
  receiverNamePattern,
  rowPattern,
  runIdPattern,
  userNamePattern,
} from '../../base/ids.ts';

/** A schema error. */
interface ValidationIssue {
  readonly keyword: string;
  readonly params: object;
  readonly message: string;
}

/** Descriptions of patterns, with the terms of the command line. */
const patternDescriptions: Readonly<Record<string, string>> = {
  [dagNamePattern]: 'use 1 to 40 letters, digits, "_", "." and "-"',
  [runIdPattern]: 'use 1 to 64 letters, digits, "-" and "_"',
  [fileNamePattern]: 'use 1 to 80 letters, digits, "_", "." and "-", without a folder or ".yaml"',
  [receiverNamePattern]: 'use 1 to 64 letters, digits, "_", "." and "-", starting with a letter or digit',
  [userNamePattern]: 'use no spaces, colons or invisible characters',
  [dayPattern]: 'use a date such as 2026-01-31',
  [hashPattern]: 'use the hash returned with the source: 64 characters of 0-9 and a-f',
  [rowPattern]: 'use an id returned by the engine',
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
    limit === 1 ? 'must not be empty' : `must have at least ${limit} characters (has ${sizeOf(value)})`,
  maxLength: (limit, value) => `must have at most ${limit} characters (has ${sizeOf(value)})`,
  minItems: (limit, value) =>
    limit === 1 ? 'must have at least 1 entry' : `must have at least ${limit} entries (has ${sizeOf(value)})`,
  maxItems: (limit, value) => `must have at most ${limit} entries (has ${sizeOf(value)})`,
  minimum: (limit, value) => `must be at least ${limit} (got ${formatValue(value)})`,
  maximum: (limit, value) => `must be at most ${limit} (got ${formatValue(value)})`,
};

const sizeOf = (value: unknown): number => (value as string | readonly unknown[]).length;

/** Describes what is wrong with a field and what to send instead, where the schema's message is not sufficient. */
export function describeValidationIssue(
  { keyword, params, message }: ValidationIssue,
  value: unknown,
): string {
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
  const advice = isFolder ? 'this name refers to a folder, use another name' : patternDescriptions[pattern];
  return advice === undefined ? message : `${advice} (got ${formatValue(value)})`;
}

const formatValue = (value: unknown): string => truncate(JSON.stringify(value), 80);
