import { parse } from 'csv-parse/sync';
import { truncate } from '../../../base/text/truncate.ts';
import type { Body } from '../query.ts';
import { MAX_KEYS, bodyError } from './body-error.ts';

/**
 * Parses a CSV body, with column names in the first line, into an array of objects with strings. Unquoted `NULL` is
 * null.
 * @throws GatewayError PGRST102 for lines of different length, invalid quotes and duplicate columns
 */
export function readCsvBody(text: string): Body {
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
