import { Composer, type Document } from 'yaml';
import { createReport, createLineMap, type LineMap } from '../../spec/source.ts';
import { parseDocuments } from '../../spec/parse-yaml.ts';
import { MAX_TOKENS } from '../../spec/limits.ts';
import { reparse, findStepLines } from './reparse.ts';
import { fillFrame, type Item, readFrame, readItems } from './frame.ts';

/**
 * A text for edits. It is parsed on first use and only once, so use the same object for all edits of one version of
 * the text.
 */
export interface EditableText {
  readonly text: string;
  /** The first YAML syntax error, in which case edits are rejected. Offset as in {@link EditableText.text}. */
  readonly syntaxError: SyntaxIssue | undefined;
  /** All documents of the file, including empty ones, so at least one; none if the text is not valid YAML. */
  readonly documents: readonly Document.Parsed[];
  readonly lines: LineMap;
}

export interface SyntaxIssue {
  /** The problem and its solution. */
  readonly message: string;
  readonly offset: number;
}

type Parsed = Pick<EditableText, 'syntaxError' | 'documents'>;

/**
 * Creates an editable text. Never throws and does no work until it is used.
 * @param near an earlier version of the text, whose parsed parts are reused
 */
export function readEditable(text: string, near?: EditableText): EditableText {
  if (near?.text === text) return near;
  return new LazyText(text, near instanceof LazyText ? near.lastValid : undefined);
}

/**
 * Parsed data is stored in fields, because the garbage collector marks trees behind weak references in one long pause.
 */
class LazyText implements EditableText {
  readonly text: string;
  #parsed: Parsed | undefined;
  /** While this text is not parsed or not valid YAML: the last earlier text that is. */
  #lastValidText: LazyText | undefined;
  #lines: LineMap | undefined;

  constructor(text: string, lastValidText: LazyText | undefined) {
    this.text = text;
    this.#lastValidText = lastValidText;
  }

  get syntaxError(): SyntaxIssue | undefined {
    return this.#parse().syntaxError;
  }

  get documents(): readonly Document.Parsed[] {
    return this.#parse().documents;
  }

  get lines(): LineMap {
    return (this.#lines ??= createLineMap(this.text));
  }

  get isParsed(): boolean {
    return this.#parsed !== undefined;
  }

  get isValid(): boolean {
    return this.#parsed !== undefined && this.#parsed.syntaxError === undefined;
  }

  /** The text itself, or the last earlier text that is parsed and valid. */
  get lastValid(): LazyText | undefined {
    return this.isValid ? this : this.#lastValidText;
  }

  keep(parsed: Parsed): Parsed {
    this.#parsed = parsed;
    // Otherwise each text would keep all earlier texts in memory.
    if (this.isValid) this.#lastValidText = undefined;
    return parsed;
  }

  #parse(): Parsed {
    return this.#parsed ?? this.keep(parseText(this.text, this.#lastValidText));
  }
}

/**
 * Parses a text in parts, so that later uses are fast; for a later version of a parsed text, only what is new. If the
 * text has an error or cannot be divided, it is parsed on first use instead.
 * @returns a generator to run until `done`; its value is whether the text has been parsed
 */
export function* parseIncrementally(editable: EditableText): Generator<undefined, boolean> {
  if (!(editable instanceof LazyText)) return false;
  if (editable.isParsed) return editable.isValid;
  if (loneReturn.test(editable.text)) return false;
  const near = editable.lastValid;
  const documents = near ? reparse(editable.text, near) : yield* parseInChunks(editable.text);
  if (editable.isParsed) return editable.isValid;
  if (documents === undefined) return false;
  editable.keep({ syntaxError: undefined, documents });
  return true;
}

const loneReturn = /\r(?!\n)/;

/** Edits work on lines that end with LF or CRLF. */
const loneReturnMessage =
  'The file contains a carriage return without a line feed. Save it with LF or CRLF line endings to edit its steps here.';

function parseText(text: string, near: EditableText | undefined): Parsed {
  const offset = text.search(loneReturn);
  if (offset >= 0) return { syntaxError: { message: loneReturnMessage, offset }, documents: [] };
  const known = near && reparse(text, near);
  if (known !== undefined) return { syntaxError: undefined, documents: known };
  const report = createReport(text, '');
  const documents = parseDocuments(text, report, { keepSourceTokens: true });
  if (documents !== undefined) {
    // A text that is empty or only has comments is one document without content.
    const empty = documents.length > 0 ? [] : new Composer().end(true, text.length);
    return { syntaxError: undefined, documents: [...documents, ...empty] };
  }
  const { message, line, column } = report.list().find(({ severity }) => severity === 'error')!;
  return { syntaxError: { message, offset: getLineOffset(text, line) + column - 1 }, documents: [] };
}

/** @param line 1-based */
function getLineOffset(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1;
  return at;
}

/** Length of text that is parsed at a time, in UTF-16 code units; takes some milliseconds. */
const partLength = 16_384;

/**
 * Parses a text in parts, so that other work can run in between.
 * @returns the same documents as parsing the whole text; undefined if the text must be parsed as a whole
 */
function* parseInChunks(text: string): Generator<undefined, readonly Document.Parsed[] | undefined> {
  const lines = text.length > MAX_TOKENS ? undefined : findStepLines(text);
  if (lines === undefined || lines.starts.length < 2) return undefined;
  const frame = readFrame(text, lines);
  if (frame === undefined) return undefined;
  const items: Item[] = [];
  const last = lines.starts.length - 1;
  while (items.length < last) {
    yield;
    const from = items.length;
    const limit = lines.starts[from]! + partLength;
    let to = from + 1;
    while (to < last && lines.starts[to]! < limit) to += 1;
    const read = readItems(text, lines, from, to);
    if (read === undefined) return undefined;
    items.push(...read);
  }
  yield;
  fillFrame(frame, items);
  return frame.documents;
}
