import { pluralize } from './text.ts';
import { CsvStream, type CsvRecord } from './csv.ts';

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
