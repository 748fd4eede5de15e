/** A record of a CSV file (RFC 4180). */
export interface CsvRecord {
  /** 1-based number of its first line. */
  readonly line: number;
  readonly values: readonly string[];
  /** What is wrong with it: `unclosed quote`. Its values are then a best effort. */
  readonly problem?: string;
}

/** A record with the offset after it. */
interface ScannedRecord extends CsvRecord {
  readonly next: number;
}

/** The characters that separate values, in order of preference. */
const delimiters = [',', ';', '\t', '|'] as const;

/** Guesses the delimiter: the most frequent one in the first line, outside quotes. */
export function detectDelimiter(text: string): string {
  const head = text.slice(0, lineEnd(text, 0)).replaceAll(/"[^"]*"/g, '');
  const counts = delimiters.map((sign) => head.split(sign).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

/** Reads the records of a CSV file. Blank lines are omitted. A broken record does not affect the following lines. */
export function* readCsv(text: string, delimiter: string): Generator<CsvRecord> {
  yield* scanRecords(text, delimiter);
}

/** @param from where the text starts; if more text follows it, an incomplete last record is omitted */
function* scanRecords(
  text: string,
  delimiter: string,
  { line: first, hasMore }: { readonly line: number; readonly hasMore: boolean } = {
    line: 1,
    hasMore: false,
  },
): Generator<ScannedRecord> {
  let line = first;
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    if (hasMore && end === text.length) return;
    const content = text.slice(at, end).replace(/\r$/, '');
    if (!content.includes('"')) {
      if (content !== '') yield { line, values: content.split(delimiter), next: end + 1 };
      at = end + 1;
      line += 1;
      continue;
    }
    const found = readQuoted(text, at, delimiter);
    if (hasMore && (found === undefined || found.next > text.length)) return;
    if (found === undefined) {
      yield { line, values: content.split(delimiter), problem: 'unclosed quote', next: end + 1 };
      at = end + 1;
      line += 1;
      continue;
    }
    const { values, next, problem } = found;
    yield { line, values, next, ...(problem !== undefined && { problem }) };
    line += countLines(text, at, next);
    at = next;
  }
}

/** A quoted value without an end may not be longer, in UTF-16 code units. */
const maxRecordLength = 4_000_000;

/** Reads a CSV file that arrives in parts of any size. */
export class CsvStream {
  readonly #delimiter: string;
  #rest = '';
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Returns the records that are complete with this part. */
  push(text: string): readonly CsvRecord[] {
    this.#rest += text;
    return this.#read(this.#rest.length < maxRecordLength);
  }

  /** Returns the records at the end of the file. */
  end(): readonly CsvRecord[] {
    return this.#read(false);
  }

  #read(hasMore: boolean): CsvRecord[] {
    const records = [...scanRecords(this.#rest, this.#delimiter, { line: this.#line, hasMore })];
    const next = hasMore ? (records.at(-1)?.next ?? 0) : this.#rest.length;
    this.#line += countLines(this.#rest, 0, next);
    this.#rest = this.#rest.slice(next);
    return records;
  }
}

interface QuotedRecord {
  readonly values: string[];
  /** Offset after the record and its line break. */
  readonly next: number;
  readonly problem?: string;
}

/** Reads a record with quotes. Returns undefined if a quote is not closed. */
function readQuoted(text: string, start: number, delimiter: string): QuotedRecord | undefined {
  const values: string[] = [];
  let problem: string | undefined;
  for (let at = start; ;) {
    let value = '';
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      if (close === -1) return undefined;
      value = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    }
    const end = valueEnd(text, at, delimiter);
    const rest = text.slice(at, end);
    // A line break may be `\r\n`, whose `\r` is not part of the value.
    const isLast = text[end] !== delimiter;
    const tail = isLast ? rest.replace(/\r$/, '') : rest;
    if (at > start && text[at - 1] === '"' && tail !== '' && value !== '')
      problem ??= 'text after a closing quote';
    values.push(value + tail);
    if (isLast) return { values, next: end + 1, ...(problem !== undefined && { problem }) };
    at = end + 1;
  }
}

/** Returns the offset of the quote that closes a value; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

function valueEnd(text: string, from: number, delimiter: string): number {
  const end = lineEnd(text, from);
  const next = text.slice(from, end).indexOf(delimiter);
  return next === -1 ? end : from + next;
}

/** Returns the offset of the next line feed, or the end of the text. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at = lineEnd(text, at) + 1) count += 1;
  return count;
}
