import MarkdownIt from 'markdown-it';
import { findJsonIssue } from '../../../core/base/json.ts';
import type { FileKind } from './file-kind.ts';
import { type JsonNode, toJsonNode } from './json-tree.tsx';
import { type CsvRecord, detectDelimiter, readCsv } from '../../../core/base/csv.ts';

/** What is wrong with a line of a file. */
export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** The beginning of a file with rows. */
export interface FileTable {
  readonly kind: 'table';
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
  /** Number of all rows that were read. */
  readonly count: number;
  /** The first broken lines. */
  readonly problems: readonly LineProblem[];
  readonly problemCount: number;
}

export interface FileRow {
  /** 1-based line of the file. */
  readonly line: number;
  readonly values: readonly string[];
}

/** The contents of a file, prepared for display. */
export type ParsedFile =
  | FileTable
  | { readonly kind: 'json'; readonly root: JsonNode }
  | { readonly kind: 'page'; readonly html: string; readonly source: 'markdown' | 'html' }
  | { readonly kind: 'text'; readonly text: string }
  /** Invalid JSON. */
  | { readonly kind: 'invalid'; readonly problem: LineProblem; readonly text: string }
  | { readonly kind: 'binary' };

/** A question to the worker. */
export interface ParseTask {
  readonly kind: Exclude<FileKind, 'image' | 'pdf'>;
  readonly bytes: Uint8Array;
  /** Whether the file is longer than `bytes`. */
  readonly isPartial: boolean;
}

const maxRows = 1_000;
const maxColumns = 200;
const maxCellLength = 2_000;
const maxProblems = 20;
const maxSourceLength = 256_000;

/** Parses a file for display. Takes up to seconds for a large one, so it runs in a worker. */
export function parseFile({ kind, bytes, isPartial }: ParseTask): ParsedFile {
  const decoded = decode(bytes);
  if (decoded === undefined) return { kind: 'binary' };
  const text = isPartial ? dropLastLine(decoded) : decoded;
  switch (kind) {
    case 'json':
      return parseJson(text);
    case 'lines':
      return parseLines(text);
    case 'csv':
      return parseCsv(text);
    case 'markdown':
      return { kind: 'page', html: renderMarkdown(text), source: 'markdown' };
    case 'html':
      return { kind: 'page', html: text, source: 'html' };
    case 'text':
      return { kind: 'text', text };
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Undefined for binary data. */
function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.subarray(0, 8_000).includes(0)) return undefined;
  return new TextDecoder().decode(bytes);
}

const dropLastLine = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1) || text;

function parseJson(text: string): ParsedFile {
  try {
    return { kind: 'json', root: toJsonNode(JSON.parse(text)) };
  } catch {
    const { line, column, message } = findJsonIssue(text) ?? {
      line: 1,
      column: 1,
      message: 'nested too deeply',
    };
    return {
      kind: 'invalid',
      problem: { line, message: `column ${column}: ${message}` },
      text: text.slice(0, maxSourceLength),
    };
  }
}

/** Collects the first problems and counts them all. */
class Problems {
  readonly first: LineProblem[] = [];
  count = 0;

  add(line: number, message: string): void {
    this.count += 1;
    if (this.first.length < maxProblems) this.first.push({ line, message });
  }
}

function parseCsv(text: string): FileTable {
  const problems = new Problems();
  const rows: FileRow[] = [];
  let head: readonly string[] | undefined;
  let count = 0;
  for (const record of readCsv(text, detectDelimiter(text))) {
    if (head === undefined) {
      head = record.values;
      if (record.problem !== undefined) problems.add(record.line, record.problem);
      continue;
    }
    count += 1;
    const problem = record.problem ?? explainWidth(record, head.length);
    if (problem !== undefined) problems.add(record.line, problem);
    if (rows.length < maxRows) rows.push({ line: record.line, values: record.values.map(shorten) });
  }
  const width = rows.reduce((widest, { values }) => Math.max(widest, values.length), head?.length ?? 0);
  const columns = Array.from({ length: Math.min(width, maxColumns) }, (_, index) => nameColumn(head, index));
  return { kind: 'table', columns, rows, count, problems: problems.first, problemCount: problems.count };
}

const nameColumn = (head: readonly string[] | undefined, index: number): string =>
  head?.[index]?.trim() || `Column ${index + 1}`;

const explainWidth = ({ values }: CsvRecord, expected: number): string | undefined =>
  values.length === expected
    ? undefined
    : `${values.length} ${values.length === 1 ? 'value' : 'values'}, expected ${expected}`;

/** Parses JSON lines: each object is a row, with a column for each of its fields. */
function parseLines(text: string): FileTable {
  const problems = new Problems();
  const found: { line: number; fields: ReadonlyMap<string, unknown> }[] = [];
  const columns = new Set<string>();
  let count = 0;
  let line = 0;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const content = text.slice(at, end).trim();
    at = end + 1;
    line += 1;
    if (content === '') continue;
    const fields = readFields(content);
    if (fields === undefined) {
      const { column, message } = findJsonIssue(content) ?? { column: 1, message: 'nested too deeply' };
      problems.add(line, `column ${column}: ${message}`);
      continue;
    }
    count += 1;
    if (found.length >= maxRows) continue;
    found.push({ line, fields });
    for (const name of fields.keys()) if (columns.size < maxColumns) columns.add(name);
  }
  const names = [...columns];
  const rows = found.map(({ line: at, fields }) => ({
    line: at,
    values: names.map((name) => formatCell(fields.get(name))),
  }));
  return {
    kind: 'table',
    columns: names,
    rows,
    count,
    problems: problems.first,
    problemCount: problems.count,
  };
}

/** Returns the fields of a line; a line that is not an object has one, `value`. Undefined for invalid JSON. */
function readFields(content: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return new Map(isObject ? Object.entries(value) : [['value', value]]);
  } catch {
    return undefined;
  }
}

const formatCell = (value: unknown): string =>
  value === undefined ? '' : shorten(typeof value === 'string' ? value : JSON.stringify(value));

const shorten = (text: string): string =>
  text.length <= maxCellLength ? text : `${text.slice(0, maxCellLength)}…`;

/** Renders Markdown. HTML in it is displayed as text, and links can only lead to web and mail addresses. */
const renderMarkdown = (text: string): string => new MarkdownIt({ html: false, linkify: true }).render(text);
