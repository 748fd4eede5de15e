import type { RowFormat } from '../../model/executors/sql.ts';
import type { StatementResult } from '../../gateway/database/database.ts';

/** PostgreSQL type OIDs whose printed values are valid JSON. */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);
const jsonTypes: ReadonlySet<number> = new Set([114, 3802]);
const flagType = 16;

/** `NaN` and `Infinity` are numbers in PostgreSQL, but not in JSON. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Formats the rows. Numbers keep all digits. */
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
  // Line breaks are insignificant in JSON and would split an object across lines.
  if (jsonTypes.has(typeId)) return value.replaceAll(/[\r\n]+/g, ' ');
  return JSON.stringify(value);
}

const formatCsv = ({ columns, rows }: StatementResult): string =>
  [columns, ...rows].map((row) => `${row.map(formatCell).join(',')}\n`).join('');

/** Formats a value as PostgreSQL's COPY does: an empty cell is NULL, and empty quotes are an empty string. */
function formatCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
