import { Composer, type Document } from 'yaml';
import { createReport, createLineMap, type LineMap } from '../../spec/source.ts';
import { composeDocuments, reportSyntax } from '../../spec/parse-yaml.ts';
import { reparse } from './reparse.ts';

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
  /** The documents with their errors if the text is not valid YAML, for diagnostics; otherwise the same. */
  readonly composed: readonly Document.Parsed[];
  readonly lines: LineMap;
}

export interface SyntaxIssue {
  /** The problem and its solution. */
  readonly message: string;
  readonly offset: number;
}

type Parsed = Pick<EditableText, 'syntaxError' | 'documents' | 'composed'>;

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

  get composed(): readonly Document.Parsed[] {
    return this.#parse().composed;
  }

  get lines(): LineMap {
    return (this.#lines ??= createLineMap(this.text));
  }

  get isValid(): boolean {
    return this.#parsed !== undefined && this.#parsed.syntaxError === undefined;
  }

  /** The text itself, or the last earlier text that is parsed and valid. */
  get lastValid(): LazyText | undefined {
    return this.isValid ? this : this.#lastValidText;
  }

  #parse(): Parsed {
    if (this.#parsed === undefined) {
      this.#parsed = parseText(this.text, this.#lastValidText);
      // Otherwise each text would keep all earlier texts in memory.
      if (this.isValid) this.#lastValidText = undefined;
    }
    return this.#parsed;
  }
}

const loneReturn = /\r(?!\n)/;

/** Edits work on lines that end with LF or CRLF. */
const loneReturnMessage =
  'The file contains a carriage return without a line feed. Save it with LF or CRLF line endings to edit its steps here.';

function parseText(text: string, near: EditableText | undefined): Parsed {
  const offset = text.search(loneReturn);
  if (offset >= 0) return reject(loneReturnMessage, offset);
  const known = near && reparse(text, near);
  if (known !== undefined) return accept(known);
  const report = createReport(text, '');
  const composed = composeDocuments(text, report, true);
  if (composed !== undefined && !reportSyntax(composed, text, report)) {
    // A text that is empty or only has comments is one document without content.
    const empty = composed.length > 0 ? [] : new Composer().end(true, text.length);
    return accept([...composed, ...empty]);
  }
  const { message, line, column } = report.list().find(({ severity }) => severity === 'error')!;
  return reject(message, getLineOffset(text, line) + column - 1, composed);
}

const accept = (documents: readonly Document.Parsed[]): Parsed => ({
  ...{ syntaxError: undefined, documents, composed: documents },
});

const reject = (message: string, offset: number, composed: readonly Document.Parsed[] = []): Parsed => ({
  ...{ syntaxError: { message, offset }, documents: [], composed },
});

/** @param line 1-based */
function getLineOffset(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1;
  return at;
}
