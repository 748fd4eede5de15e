import { type CsvRecord, CsvStream } from './csv.ts';
import { pluralize } from './text.ts';

/** PostgreSQL types that a new column of an import can have, in the order of a list. */
export const importTypes = [
  'text',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'boolean',
  'date',
  'timestamp',
  'timestamptz',
  'uuid',
  'jsonb',
] as const;
export type ImportType = (typeof importTypes)[number];

/** A column of a CSV file, as far as its first records show. */
export interface CsvColumn {
  readonly name: string;
  readonly type: ImportType;
}

/** The first records of a CSV file, as a table. */
export interface CsvOutline {
  readonly hasHeader: boolean;
  readonly columns: readonly CsvColumn[];
  readonly rows: readonly CsvRecord[];
}

const patterns: readonly (readonly [type: ImportType, pattern: RegExp])[] = [
  ['boolean', /^(true|false|t|f|yes|no)$/i],
  // Numbers with leading zeros, such as postal codes, are strings.
  ['integer', /^-?(0|[1-9]\d{0,8})$/],
  ['bigint', /^-?(0|[1-9]\d{0,17})$/],
  ['numeric', /^-?(0|[1-9]\d*)(\.\d+)?$/],
  ['double precision', /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['timestamptz', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s?(Z|[+-]\d\d(:?\d\d)?)$/],
  ['timestamp', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
];

/** Returns the first type that all values have; empty values are NULL and have every type. */
export function detectType(values: readonly string[]): ImportType {
  const filled = values.filter((value) => value !== '');
  if (filled.length === 0) return 'text';
  const found = patterns.find(([, pattern]) => filled.every((value) => hasType(value, pattern)));
  if (found !== undefined) return found[0];
  return filled.every(isJsonContainer) ? 'jsonb' : 'text';
}

const hasType = (value: string, pattern: RegExp): boolean => pattern.test(value) && !/^-?0\d/.test(value);

function isJsonContainer(value: string): boolean {
  if (!/^\s*[{[]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Describes the columns of a CSV file by its first records. The first record is a header if its values are different
 * names, none of which is a number, a date or another typed value.
 * @param hasHeader overrides the guess
 */
export function outlineCsv(
  records: readonly CsvRecord[],
  hasHeader = looksLikeHeader(records[0]),
): CsvOutline {
  const rows = hasHeader ? records.slice(1) : records;
  const width = Math.max(0, ...records.slice(0, 1).map(({ values }) => values.length));
  const names = uniqueNames(
    Array.from({ length: width }, (_, index) => (hasHeader ? (records[0]?.values[index] ?? '') : '')),
  );
  const columns = names.map((name, index) => ({
    name,
    type: detectType(rows.map(({ values }) => values[index] ?? '')),
  }));
  return { hasHeader, columns, rows };
}

function looksLikeHeader(record: CsvRecord | undefined): boolean {
  if (record === undefined) return false;
  const names = record.values.map((value) => value.trim());
  return (
    names.every((name) => name !== '' && detectType([name]) === 'text') &&
    new Set(names).size === names.length
  );
}

/** PostgreSQL cuts longer names. */
const maxNameLength = 63;

/** Returns names for columns: `Order No.` becomes `order_no`. */
function uniqueNames(titles: readonly string[]): string[] {
  const taken = new Set<string>();
  return titles.map((title, index) => {
    const plain = toColumnName(title);
    const base = plain === '' ? `column_${index + 1}` : plain;
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    taken.add(name);
    return name;
  });
}

/** Returns a name that needs no quotes in SQL. */
export const toColumnName = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
    .replace(/^(?=\d)/, '_')
    .slice(0, maxNameLength);

/** What is wrong with a line. */
export interface CsvProblem {
  readonly line: number;
  readonly message: string;
}

export interface CsvTransfer {
  /** The decoded file in parts of any size. */
  readonly parts: AsyncIterable<string>;
  readonly delimiter: string;
  readonly hasHeader: boolean;
  /** Number of values of each record. */
  readonly width: number;
  /** Sends records; the next ones are read when it has resolved. */
  readonly send: (rows: CsvRow[]) => Promise<unknown>;
}

/** A record to send. */
export interface CsvRow {
  line: number;
  values: string[];
}

export interface CsvTotals {
  /** Number of records that were sent. */
  readonly rows: number;
  /** Lines that were not sent: the first ones. */
  readonly problems: readonly CsvProblem[];
  readonly problemCount: number;
}

const maxBatchRows = 5_000;
/** In UTF-16 code units: far below the limit of a request. */
const maxBatchLength = 1_000_000;
const maxProblems = 100;

/** Sends the records of a CSV file in batches, in constant memory. Broken records are listed instead. */
export async function sendCsv(transfer: CsvTransfer): Promise<CsvTotals> {
  const { parts, delimiter, hasHeader, width, send } = transfer;
  const stream = new CsvStream(delimiter);
  const problems: CsvProblem[] = [];
  let [rows, problemCount, length] = [0, 0, 0];
  let isFirst = hasHeader;
  let batch: CsvRow[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await send(batch);
    rows += batch.length;
    [batch, length] = [[], 0];
  };
  const add = async (records: readonly CsvRecord[]): Promise<void> => {
    for (const record of records.slice(isFirst ? 1 : 0)) {
      const { line, values } = record;
      const message = record.problem ?? describeWidth(values.length, width);
      if (message === undefined) {
        batch.push({ line, values: [...values] });
        length += values.reduce((sum, value) => sum + value.length + 3, 0);
      } else {
        problemCount += 1;
        if (problems.length < maxProblems) problems.push({ line, message });
      }
      if (batch.length >= maxBatchRows || length >= maxBatchLength) await flush();
    }
    if (records.length > 0) isFirst = false;
  };
  for await (const part of parts) await add(stream.push(part));
  await add(stream.end());
  await flush();
  return { rows, problems, problemCount };
}

const describeWidth = (count: number, width: number): string | undefined =>
  count === width ? undefined : `${pluralize(count, 'value')} instead of ${width}`;
