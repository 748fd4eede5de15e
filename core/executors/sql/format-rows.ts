import type { RowFormat } from '../../model/executors/sql.ts';
import type { StatementResult } from '../../gateway/database/database.ts';

/** PostgreSQL's own numbers of types whose values are JSON as they are printed. */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);
const jsonTypes: ReadonlySet<number> = new Set([114, 3802]);
const flagType = 16;

/** `NaN` and `Infinity` are numbers of PostgreSQL, but not of JSON. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The rows as text. Numbers keep every digit, whatever JavaScript would make of them. */
export function formatRows(result: StatementResult, format: RowFormat): string {
  if (format === 'csv') return formatCsv(result);
  const objects = result.rows.map((row) => formatObject(result, row));
  if (format === 'jsonl') return objects.map((object) => `${object}\n`).join('');
  return objects.length === 0 ? '[]\n' : `[\n${objects.join(',\n')}\n]\n`;
}

function formatObject({ columns, typeIds = [] }: StatementResult, row: readonly (string | null)[]): string {
  const members = columns.map(
    (name, at) => `${JSON.stringify(name)}:${formatValue(row[at] ?? null, typeIds[at] ?? 0)}`,
  );
  return `{${members.join(',')}}`;
}

function formatValue(value: string | null, typeId: number): string {
  if (value === null) return 'null';
  if (numberTypes.has(typeId) && jsonNumber.test(value)) return value;
  if (typeId === flagType) return value === 't' ? 'true' : 'false';
  // Line breaks in it mean nothing, and would end the line of an object.
  if (jsonTypes.has(typeId)) return value.replaceAll(/[\r\n]+/g, ' ');
  return JSON.stringify(value);
}

const formatCsv = ({ columns, rows }: StatementResult): string =>
  [columns, ...rows].map((row) => `${row.map(formatCell).join(',')}\n`).join('');

/** As PostgreSQL's COPY does: nothing is NULL, and quotes with nothing in them are an empty text. */
function formatCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
