import type { SqlValue } from '../database/database.ts';
import { escapeNul, unescapeNul } from '../postgres/values.ts';

/** Kind of a column: how its values are stored in a file. A list is an array on a server, and JSON in a file. */
export type ColumnKind = 'integer' | 'real' | 'text' | 'blob' | 'list';

/**
 * Formats rows in the text format of COPY, exactly as PostgreSQL writes them: equal rows of a file and of a server are
 * equal bytes. https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2
 */
export function formatRow(row: readonly SqlValue[], kinds: readonly ColumnKind[]): string {
  let line = '';
  for (let index = 0; index < row.length; index += 1)
    line += (index === 0 ? '' : '\t') + formatValue(row[index]!, kinds[index]!);
  return `${line}\n`;
}

/** Parses a line without its newline. */
export const parseRow = (line: string, kinds: readonly ColumnKind[]): SqlValue[] =>
  line.split('\t').map((field, index) => parseValue(field, kinds[index]!));

const nullField = String.raw`\N`;

function formatValue(value: SqlValue, kind: ColumnKind): string {
  if (value === null) return nullField;
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatReal(value);
  if (typeof value === 'string') return escape(escapeNul(kind === 'list' ? formatList(value) : value));
  return String.raw`\\x${Buffer.from(value).toString('hex')}`;
}

function parseValue(field: string, kind: ColumnKind): SqlValue {
  if (field === nullField) return null;
  if (kind === 'integer' || kind === 'real') return Number(field);
  if (kind === 'blob') return Buffer.from(field.slice(String.raw`\\x`.length), 'hex');
  const text = unescapeNul(unescape(field));
  return kind === 'list' ? JSON.stringify(parseList(text)) : text;
}

/** Formats the shortest exact digits; JavaScript uses exponents for other sizes than PostgreSQL. */
function formatReal(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 15) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
};
const characters = new Map(Object.entries(escapes).map(([character, written]) => [written, character]));
const special = /[\\\b\f\n\r\t\v]/;
const allSpecial = new RegExp(special, 'g');

const escape = (text: string): string =>
  special.test(text) ? text.replace(allSpecial, (character) => escapes[character]!) : text;
const unescape = (field: string): string =>
  field.includes('\\') ? field.replaceAll(/\\./g, (written) => characters.get(written)!) : field;

/** Elements that PostgreSQL quotes in arrays. */
const quoted = /^$|^null$|[{}",\\\s]/i;

/** Formats a JSON list of strings as an array of PostgreSQL. */
function formatList(json: string): string {
  const elements = (JSON.parse(json) as readonly string[]).map((text) =>
    quoted.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text,
  );
  return `{${elements.join(',')}}`;
}

const parseList = (array: string): string[] =>
  [...array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^",]+)/gs)].map(
    ([, inQuotes, bare]) => bare ?? inQuotes!.replaceAll(/\\(.)/gs, '$1'),
  );
