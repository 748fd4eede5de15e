import type { CustomTypesConfig } from 'pg';
import type { SqlValue } from '../database/database.ts';

/** Type OIDs of PostgreSQL. */
const types = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  float4: 700,
  float8: 701,
  numeric: 1700,
};
const numbers = new Set([
  types.int8,
  types.int2,
  types.int4,
  types.oid,
  types.float4,
  types.float8,
  types.numeric,
]);

/** Reads a value from the text that the server sends for it. */
export type ReadValue = (text: string) => SqlValue;

const toBit: ReadValue = (text) => (text === 't' ? 1 : 0);
const toBytes: ReadValue = (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));

/** Returns how to read values of a type, as in SQLite: numbers as numbers, true as 1. */
export function getReader(type: number): ReadValue {
  if (numbers.has(type)) return Number;
  if (type === types.bool) return toBit;
  return type === types.bytea ? toBytes : unescapeNul;
}

export const typeParsers: CustomTypesConfig = { getTypeParser: getReader };

/** Writes a value as the server reads it. */
export function toParameter(value: SqlValue): string | Buffer | null {
  if (typeof value === 'string') return escapeNul(value);
  if (value === null) return null;
  return typeof value === 'number' ? String(value) : Buffer.from(value);
}

/**
 * PostgreSQL accepts no NUL in strings, and a NUL in a run's output must not fail the run. So a NUL is stored as a
 * character of the private use area and a `0`, and that character itself with an `e`; both are restored on reading.
 * Equal strings stay equal, and no other string changes.
 */
const mark = '\uE000';
const escapable = /[\0\uE000]/g;
const stored = /\uE000([0e])/g;

/** Encodes a string for PostgreSQL. */
export const escapeNul = (text: string): string =>
  text.includes('\0') || text.includes(mark)
    ? text.replace(escapable, (character) => mark + (character === '\0' ? '0' : 'e'))
    : text;

/** Decodes it again. */
export const unescapeNul = (text: string): string =>
  text.includes(mark) ? text.replace(stored, (_, kind) => (kind === '0' ? '\0' : mark)) : text;
