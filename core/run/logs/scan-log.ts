import { closeSync, openSync, readSync } from 'node:fs';
import { hasControls, visibleText } from '../../base/text.ts';
import type { LogMatches } from '../../contract/logs.ts';
import type { LogCharset } from '../../model/workflow-rules.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { compilePattern, type Pattern } from '../../base/pattern.ts';
import { textDecoder, type DecodeText, maximumLineBytes, showLine } from './read-lines.ts';
import type { LineCheckpoint } from './indexed-log.ts';

const newline = 10;
/** Replaces bytes that are not UTF-8. */
const replacementCharacter = '\uFFFD';
/** Bytes read at a time; of a longer line only the displayed part is searched. */
export const blockBytes = 1_048_576;
/** Bytes after which progress is reported when there are no new matches. */
const reportBytes = 4 * blockBytes;

/** A search of one file. Plain data, because it is sent to a thread. */
export interface ScanJob extends SearchQuery {
  readonly file: string;
  readonly charset: LogCharset;
  /** A line start at or before `from`. */
  readonly start: LineCheckpoint;
  /** Byte offset at which to stop. */
  readonly end: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limit: number;
}

/** Searches a file line by line; reports matches as it finds them. Throws file system errors. */
export function scanLog(job: ScanJob, notify: (found: LogMatches) => void): void {
  const descriptor = openSync(job.file, 'r');
  try {
    new LogScan(job, notify).run((buffer, at, length) => readSync(descriptor, buffer, 0, length, at));
  } finally {
    closeSync(descriptor);
  }
}

type Read = (buffer: Buffer, at: number, length: number) => number;

class LogScan {
  readonly #job: ScanJob;
  readonly #notify: (found: LogMatches) => void;
  readonly #decode: DecodeText;
  readonly #matcher: LineMatcher;
  #line: number;
  /** Byte offset up to which lines have been searched. */
  #offset: number;
  #remaining: number;
  #hasFound = false;
  #report: { from: number; begin: number; count: number; hits: LogMatches['hits'] };

  constructor(job: ScanJob, notify: (found: LogMatches) => void) {
    this.#job = job;
    this.#notify = notify;
    this.#decode = textDecoder(job.charset);
    this.#matcher = compileQuery(job);
    this.#line = job.start.line;
    this.#offset = job.start.offset;
    this.#remaining = job.limit;
    this.#report = { from: job.from, begin: this.#offset, count: 0, hits: [] };
  }

  run(read: Read): void {
    const { end, to } = this.#job;
    const buffer = Buffer.allocUnsafe(blockBytes);
    let isWithinLine = false;
    while (this.#offset < end && this.#line < to) {
      const length = read(buffer, this.#offset, Math.min(blockBytes, end - this.#offset));
      if (length === 0) break;
      const block = buffer.subarray(0, length);
      isWithinLine = isWithinLine ? this.#skipLine(block) : this.#scanBlock(block);
      this.#reportProgress();
    }
    this.#flush();
  }

  /** Searches the whole lines of a block. @returns whether the last line continues after it */
  #scanBlock(block: Buffer): boolean {
    const last = block.lastIndexOf(newline);
    const isEnd = this.#offset + block.length >= this.#job.end;
    if (last < 0 && !isEnd) {
      this.#scanLine(block.subarray(0, maximumLineBytes + 2), this.#offset);
      this.#offset += block.length;
      return true;
    }
    const wholeLines = isEnd ? block : block.subarray(0, last + 1);
    this.#scanWholeLines(wholeLines);
    this.#offset += wholeLines.length;
    return false;
  }

  #skipLine(block: Buffer): boolean {
    const end = block.indexOf(newline);
    if (end >= 0) this.#line += 1;
    this.#offset += end < 0 ? block.length : end + 1;
    return end < 0 && this.#offset < this.#job.end;
  }

  /** Searches whole lines, all at once when the result is the same. */
  #scanWholeLines(block: Buffer): void {
    const { findNext } = this.#matcher;
    const text = findNext && this.#readPlain(block);
    if (text === undefined) return this.#scanLines(block);
    if (findNext!(text, 0) < 0) this.#countLines(block);
    else this.#scanText(text, findNext!);
  }

  /**
   * Returns the text of a block; undefined when it must be searched line by line: for overwritten or coloured text,
   * possibly mixed encodings, partly searched lines, and when byte and character positions differ.
   */
  #readPlain(block: Buffer): string | undefined {
    const { charset, from, to } = this.#job;
    if (charset !== 'utf-8' || this.#line < from || to < Number.MAX_SAFE_INTEGER) return undefined;
    const text = this.#decode(block);
    return text.includes(replacementCharacter) || hasControls(text) ? undefined : text;
  }

  /** Jumps from match to match. */
  #scanText(text: string, findNext: NonNullable<LineMatcher['findNext']>): void {
    let offset = this.#offset;
    let start = 0;
    for (let at = findNext(text, 0); at >= 0; at = start < text.length ? findNext(text, start) : -1) {
      const lineStart = text.lastIndexOf('\n', at - 1) + 1;
      offset += Buffer.byteLength(text.slice(start, lineStart));
      this.#line += countNewlines(text, start, lineStart);
      const found = text.indexOf('\n', at);
      start = found < 0 ? text.length : found + 1;
      const line = text.slice(lineStart, found < 0 ? text.length : found);
      this.#record(line.slice(0, maximumLineBytes), offset);
      offset += Buffer.byteLength(text.slice(lineStart, start));
      this.#line += 1;
    }
    const newlines = countNewlines(text, start, text.length);
    this.#line += newlines + (start < text.length && !text.endsWith('\n') ? 1 : 0);
  }

  #countLines(block: Buffer): void {
    for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) this.#line += 1;
    if (block.at(-1) !== newline) this.#line += 1;
  }

  #scanLines(block: Buffer): void {
    for (let start = 0; start < block.length && this.#line < this.#job.to;) {
      const found = block.indexOf(newline, start);
      const end = found < 0 ? block.length : found;
      this.#scanLine(block.subarray(start, end), this.#offset + start);
      this.#line += 1;
      start = end + 1;
    }
  }

  #scanLine(bytes: Buffer, offset: number): void {
    if (this.#line < this.#job.from) return;
    this.#record(visibleText(showLine(bytes, this.#decode)), offset);
  }

  #record(line: string, offset: number): void {
    const columns = this.#matcher.find(line);
    if (columns.length === 0) return;
    this.#report.count += 1;
    if (this.#remaining === 0) return;
    this.#remaining -= 1;
    this.#report.hits.push({ line: this.#line, offset, columns });
  }

  #reportProgress(): void {
    const isFirst = !this.#hasFound && this.#report.count > 0;
    const isPattern = this.#job.regex;
    if (isFirst || isPattern || this.#offset - this.#report.begin >= reportBytes) this.#flush();
  }

  #flush(): void {
    const { from, count, hits } = this.#report;
    const to = Math.max(from, this.#line);
    this.#hasFound ||= count > 0;
    this.#notify({ from, to, offset: this.#offset, size: this.#job.end, count, hits });
    this.#report = { from: to, begin: this.#offset, count: 0, hits: [] };
  }
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A search query. */
interface SearchQuery {
  readonly query: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Start and end of a match. */
export type Columns = [from: number, to: number];

/** Most matches to report per line. */
const maxColumns = 32;
/** Characters of a line that are searched for a pattern. */
export const maxPatternUnits = 10_000;

/** Finds the matches in one line. */
interface LineMatcher {
  find(text: string): Columns[];
  /**
   * Returns the start of the next match in a text of many lines, -1 for none; absent when lines must be matched one by
   * one.
   */
  readonly findNext?: (text: string, from: number) => number;
}

/**
 * Compiles a query.
 * @throws `bad_request` for an invalid regular expression
 */
export function compileQuery({ query, regex, matchCase }: SearchQuery): LineMatcher {
  if (!regex && matchCase)
    return { find: (text) => findText(text, query), findNext: (text, from) => text.indexOf(query, from) };
  if (regex) {
    const pattern = compile(query, !matchCase);
    return { find: (text) => findPattern(pattern, text.slice(0, maxPatternUnits)) };
  }
  const pattern = new RegExp(RegExp.escape(query), 'giu');
  return {
    find: (text) => findMatches(text, pattern),
    findNext: (text, from) => {
      pattern.lastIndex = from;
      return pattern.exec(text)?.index ?? -1;
    },
  };
}

function compile(query: string, ignoreCase: boolean): Pattern {
  try {
    return compilePattern(query, { ignoreCase });
  } catch (error) {
    throw new AppError('bad_request', `query: ${getErrorMessage(error)}`, {
      details: { field: 'query' },
      cause: error,
    });
  }
}

function findText(text: string, query: string): Columns[] {
  const matches: Columns[] = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    matches.push([at, at + query.length]);
    if (matches.length === maxColumns) break;
  }
  return matches;
}

/** Ignores empty matches. */
function findPattern(pattern: Pattern, text: string): Columns[] {
  const matches: Columns[] = [];
  for (const [start, end] of pattern.matchAll(text)) {
    if (end > start) matches.push([start, end]);
    if (matches.length === maxColumns) break;
  }
  return matches;
}

function findMatches(text: string, pattern: RegExp): Columns[] {
  const matches: Columns[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    matches.push([match.index, match.index + match[0].length]);
    if (matches.length === maxColumns) break;
  }
  return matches;
}
