import { authoredKeys } from './authored-keys.ts';
import type { LineMap } from './source.ts';

/** Explains at which columns a line can start if its indentation is wrong; undefined if it is correct. */
function explainIndentation(line: BlockLine, { columns, textStart }: OpenBlocks): string | undefined {
  if (textStart !== undefined) return explainBlockText(line, columns, textStart);
  const beside = columns.find(({ column }) => column === line.column);
  if (beside === undefined) return explainColumn(line, columns);
  if (beside.kind === 'item' && line.kind !== 'item') return explainMissingDash(line, beside, columns);
  if (beside.kind === 'key' && line.kind === 'item') {
    return `This line starts with "- ", but line ${beside.line} at the same indentation has a key. Remove the "- ", or add the key of the list above.`;
  }
  return undefined;
}

function explainColumn({ column, kind }: BlockLine, columns: readonly BlockColumn[]): string | undefined {
  const alike = columns.filter((open) => open.kind === (kind === 'item' ? 'item' : 'key'));
  const outer = alike.findLast((open) => open.column < column);
  const inner = alike.find((open) => open.column > column);
  const positions = [inner, outer]
    .filter((position) => position !== undefined)
    .map((position) => `to column ${position.column}, like line ${position.line}`);
  if (positions.length === 0) return undefined;
  return `Inconsistent indentation: this line starts in column ${column}. Move it ${positions.join(', or ')}.`;
}

function explainMissingDash(
  { column }: BlockLine,
  { line }: BlockColumn,
  columns: readonly BlockColumn[],
): string {
  const inner = columns.find((open) => open.column > column && open.kind === 'key');
  const other = inner ? `, or move it to column ${inner.column}, like line ${inner.line}` : '';
  return `Missing "- ". Line ${line} in column ${column} is a list item, but this line is not. Add "- "${other}.`;
}

function explainBlockText(
  { column }: BlockLine,
  columns: readonly BlockColumn[],
  textStart: BlockLine,
): string | undefined {
  const key = columns.at(-1);
  if (key === undefined || column > key.column) return undefined;
  return `The text after "|" or ">" in line ${textStart.line} must be indented, but this line starts in column ${column}. Indent it to column ${key.column + 2}.`;
}

/** A column at which a block list or map continues. */
interface BlockColumn {
  /** 1-based. */
  readonly column: number;
  readonly kind: 'item' | 'key';
  /** 1-based line of the last entry that starts there. */
  readonly line: number;
}

/** A line of YAML, classified by its start. */
interface BlockLine {
  /** Offset of its first character that is not a space. */
  readonly start: number;
  /** The line from `start`, without the line break. */
  readonly text: string;
  /** 1-based column of `start`. */
  readonly column: number;
  /** 1-based. */
  readonly line: number;
  /** An item starts with `- `; a key ends with `:`. */
  readonly kind: 'item' | 'key' | 'text';
}

const itemStart = /^-[ \t]+|^-$/;
const keyStart = /^(?:[^\s:#"'[\]{},&*!|>%@`-][^:#]*|[\w-][^\s:]*|"[^"]*"|'[^']*'):(?=\s|$)/;
const blockTextStart = /(?:^|[:-][ \t]+)(?:[&!]\S*[ \t]+)?[|>][-+0-9]{0,2}\s*(?:#.*)?$/;

function opensBlockText({ text }: BlockLine): boolean {
  return blockTextStart.test(text);
}

/** Returns the key at the start of a line, if there is one. */
function readKey(text: string): string | undefined {
  return keyStart.exec(text)?.[0].slice(0, -1);
}

/** Returns the line that contains an offset. */
function readLineAt(text: string, offset: number, line: number): BlockLine {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return readLine(text, lineStart, line);
}

function readLine(text: string, lineStart: number, line: number): BlockLine {
  const lineEnd = text.indexOf('\n', lineStart);
  const whole = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const content = whole.trimEnd();
  const indent = content.length - content.replace(/^ +/, '').length;
  const rest = content.slice(indent);
  const kind = itemStart.test(rest) ? 'item' : keyStart.test(rest) ? 'key' : 'text';
  return { start: lineStart + indent, text: rest, column: indent + 1, line, kind };
}

/** Returns the next line that is neither empty nor a comment. */
function readLineAfter(text: string, { start, line }: BlockLine): BlockLine | undefined {
  let number = line;
  for (let at = text.indexOf('\n', start); at >= 0; at = text.indexOf('\n', at + 1)) {
    number += 1;
    const next = readLine(text, at + 1, number);
    if (next.text !== '' && !next.text.startsWith('#')) return next;
  }
  return undefined;
}

/** The open blocks at the start of a line. */
interface OpenBlocks {
  /** Columns of the lists and maps, outermost first. */
  readonly columns: readonly BlockColumn[];
  /** The previous line if it ends with `|` or `>`, so that a block scalar should follow. */
  readonly textStart: BlockLine | undefined;
}

/**
 * Reads the lines before a line by their starts; the content of block scalars is ignored.
 * @param from offset and line of the start of the document
 */
function readOpenBlocks(text: string, from: { offset: number; line: number }, before: BlockLine): OpenBlocks {
  let columns: BlockColumn[] = [];
  let textStart: BlockLine | undefined;
  let textColumn = 0;
  let current: BlockLine | undefined = readLineAt(text, from.offset, from.line);
  while (current !== undefined && current.line < before.line) {
    const currentColumns = listColumns(current);
    if (textColumn > 0 && current.column > textColumn) {
      textStart = undefined;
    } else if (current.text !== '' && !current.text.startsWith('#')) {
      const [first] = currentColumns;
      if (first) columns = [...columns.filter(({ column }) => column < first.column), ...currentColumns];
      textStart = opensBlockText(current) ? current : undefined;
      textColumn = textStart === undefined ? 0 : (currentColumns.at(-1)?.column ?? current.column);
    }
    current = readLineAfter(text, current);
  }
  return { columns, textStart };
}

/** Lists the blocks that a line opens: `- - name: a` opens two lists and a map. */
function listColumns({ text, column, line }: BlockLine): BlockColumn[] {
  const columns: BlockColumn[] = [];
  let rest = text;
  let at = column;
  for (let dash = itemStart.exec(rest); dash !== null; dash = itemStart.exec(rest)) {
    columns.push({ column: at, kind: 'item', line });
    at += dash[0].length;
    rest = rest.slice(dash[0].length);
  }
  if (keyStart.test(rest)) columns.push({ column: at, kind: 'key', line });
  return columns;
}

const LONGEST = 60;

/** Quotes a string as a YAML value; undefined if it is too long to display. */
export function quoteText(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  if (text.includes("'") && !/["\\]/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns advice such as "Put the text in quotes: 'a: b'." */
export function suggestQuotes(text: string): string {
  const quoted = text === '' ? undefined : quoteText(text);
  return quoted === undefined ? 'Put the whole text in quotes.' : `Put the whole text in quotes: ${quoted}.`;
}

/** Returns the value on the line of an offset, after `- ` and the first `key: `. */
export function readValueAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end).trimEnd();
  return line.replace(/^[ \t]*(?:-[ \t]+)*(?:[\w.-]+:[ \t]+)?/, '');
}

/** An error that the YAML library has found. */
export interface YamlError {
  /** Message of the library. */
  readonly message: string;
  readonly offset: number;
  /** The whole file. */
  readonly text: string;
  /** Offset of the document that contains the error. */
  readonly documentStart: number;
  readonly lines: LineMap;
}

/** The message for an error, with an offset if the library's is not the right one. */
export interface Explanation {
  readonly offset?: number;
  readonly message: string;
}

/** Explains a line whose indentation does not match the lines above. */
export function explainLine(mistake: YamlError, line = getLine(mistake)): Explanation | undefined {
  const { text, documentStart, lines } = mistake;
  const from = { offset: documentStart, line: lines.locate(documentStart).line };
  const message = explainIndentation(line, readOpenBlocks(text, from, line));
  return message === undefined ? undefined : { offset: line.start, message };
}

/** Explains a line that should be `key: value`. */
export function explainMissingColon(mistake: YamlError): Explanation | undefined {
  const line = getLine(mistake);
  const entry = line.text.replace(/^(?:-[ \t]+)*/, '');
  const [, key, value] = /^([\w.-]+):(\S.*)$/.exec(entry) ?? [];
  const at = line.start + line.text.length - entry.length;
  if (key !== undefined) {
    const remedy = `Use ${show(`${key}: ${value}`) ?? '": " between key and value'}.`;
    return { offset: at, message: `Missing space after the ":" of "${key.slice(0, 40)}". ${remedy}` };
  }
  if (readKey(entry) !== undefined) return undefined;
  if (/^[\w.-]{1,40}$/.test(entry)) {
    return { offset: at, message: `Missing ":" after "${entry}". Write "${entry}:".` };
  }
  const next = readLineAfter(mistake.text, line);
  if (next?.kind !== 'key' || next.column !== line.column + at - line.start) {
    const message =
      'Expected "key: value" or a list item. Add ":" and a space after a key, or start a multi-line text with "|".';
    return { offset: at, message };
  }
  const sample = suggestEntry(entry, line.kind === 'item');
  return {
    offset: at,
    message: `Missing ": " after the key. Write "key: value", as in line ${next.line}${sample && `, such as ${sample}`}.`,
  };
}

/** Suggests the entry that was probably intended. */
function suggestEntry(entry: string, isStep: boolean): string {
  const [, word = '', rest = ''] = /^(\w+)[ \t]+(\S.*)$/.exec(entry) ?? [];
  if (knownKeys.has(word)) return show(`${word}: ${rest}`) ?? '';
  return isStep ? (show(`command: ${entry}`) ?? '') : '';
}

const knownKeys = new Set<string>([...authoredKeys.workflow, ...authoredKeys.step]);

const show = (text: string): string | undefined => (text.length > 60 ? undefined : `"${text}"`);

/**
 * Explains a map that starts on the line of a key: usually a string that contains `: `, or a line that is indented too
 * far.
 */
export function explainNestedMap(mistake: YamlError): Explanation | undefined {
  const { text, offset } = mistake;
  const end = text.indexOf('\n', offset);
  const value = text.slice(offset, end < 0 ? undefined : end).trimEnd();
  if (/:(?:\s|$)/.test(value)) {
    return {
      message: `This text contains ": ", which separates a key and a value in YAML. ${suggestQuotes(readValueAt(text, offset))}`,
    };
  }
  const next = readLineAfter(text, getLine(mistake));
  if (next === undefined) return undefined;
  if (next.kind === 'text' || /\s/.test(readKey(next.text) ?? '')) {
    return {
      message:
        'This multi-line text contains ": ", which separates a key and a value in YAML. Write "|" here, and the indented text on the following lines.',
    };
  }
  return explainLine(mistake, next);
}

/** Explains text that is not YAML: traces of other tools, and non-standard spaces. */
export function explainForeignText(mistake: YamlError): Explanation | undefined {
  const { start, text } = getLine(mistake);
  if (/^(?:<{7}|={7}|>{7})(?:\s|$)/.test(text)) {
    return {
      offset: start,
      message:
        'Merge conflict marker. Keep one of the two versions, and remove the lines with "<<<<<<<", "=======" and ">>>>>>>".',
    };
  }
  if (text.startsWith('```')) {
    return { offset: start, message: 'The line "```" is a Markdown code fence. Remove it.' };
  }
  const [blank] = /^[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/.exec(text) ?? [];
  if (blank === undefined) return undefined;
  const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    offset: start,
    message: `The indentation contains the character U+${code}, which is not a regular space. Replace it with spaces.`,
  };
}

function getLine({ text, offset, lines }: YamlError): BlockLine {
  return readLineAt(text, offset, lines.locate(offset).line);
}
