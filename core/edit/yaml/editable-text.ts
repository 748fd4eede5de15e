import { Composer, type Document } from 'yaml';
import { createReport } from '../../spec/source/report.ts';
import { createLineMap, type LineMap } from '../../spec/source/line-map.ts';
import { parseDocuments } from '../../spec/yaml/parse-yaml.ts';
import { parseInParts } from './reparse/parse-in-parts.ts';
import { reparse } from './reparse/reparse.ts';

/**
 * A text that edits are computed on. It is parsed at the first question that needs it, once, however many edits are
 * made on it; so hand the same one to all edits of one state of the text.
 */
export interface EditableText {
  readonly text: string;
  /** Why the text is no YAML, at the first place; edits are refused then. Offset as in {@link EditableText.text}. */
  readonly syntaxError: SyntaxMistake | undefined;
  /** Every document of the file, those without content too, so at least one; none when the text is no YAML. */
  readonly documents: readonly Document.Parsed[];
  readonly lines: LineMap;
}

export interface SyntaxMistake {
  /** What is wrong and what to do about it. */
  readonly message: string;
  readonly offset: number;
}

type Parsed = Pick<EditableText, 'syntaxError' | 'documents'>;

/**
 * Never throws, and costs nothing until something is asked.
 * @param near a text of which this one is a later state: what has been parsed of it is not parsed again
 */
export function readEditable(text: string, near?: EditableText): EditableText {
  if (near?.text === text) return near;
  return new LazyText(text, near instanceof LazyText ? near.soundest : undefined);
}

/** What is known of a text stands in fields: trees behind weak references would be marked in one go by the collector of garbage. */
class LazyText implements EditableText {
  readonly text: string;
  #parsed: Parsed | undefined;
  /** While this text has not been parsed, or is no YAML: the last one before it that has been and is. */
  #sound: LazyText | undefined;
  #lines: LineMap | undefined;

  constructor(text: string, sound: LazyText | undefined) {
    this.text = text;
    this.#sound = sound;
  }

  get syntaxError(): SyntaxMistake | undefined {
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

  get isSound(): boolean {
    return this.#parsed !== undefined && this.#parsed.syntaxError === undefined;
  }

  /** The text itself or the last one before it that has been parsed and is YAML. */
  get soundest(): LazyText | undefined {
    return this.isSound ? this : this.#sound;
  }

  keep(parsed: Parsed): Parsed {
    this.#parsed = parsed;
    // Else each text would hold all that were before it.
    if (this.isSound) this.#sound = undefined;
    return parsed;
  }

  #parse(): Parsed {
    return this.#parsed ?? this.keep(parseText(this.text, this.#sound));
  }
}

/**
 * Parses a text part by part, so that what is asked of it later costs little; of a later state of a text that has been
 * parsed only what is new. A mistake in it, or a form that cannot be divided, leaves that to be done when it is asked for.
 * @returns what goes on with it, until it says `done`, and then whether the text has been parsed
 */
export function* parseAhead(editable: EditableText): Generator<undefined, boolean> {
  if (!(editable instanceof LazyText)) return false;
  if (editable.isParsed) return editable.isSound;
  if (loneReturn.test(editable.text)) return false;
  const near = editable.soundest;
  const documents = near ? reparse(editable.text, near) : yield* parseInParts(editable.text);
  if (editable.isParsed) return editable.isSound;
  if (documents === undefined) return false;
  editable.keep({ syntaxError: undefined, documents });
  return true;
}

const loneReturn = /\r(?!\n)/;

/** Edits splice lines, which end in LF or CRLF. */
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
    // A text of nothing, or of comments, is one document without content.
    const empty = documents.length > 0 ? [] : new Composer().end(true, text.length);
    return { syntaxError: undefined, documents: [...documents, ...empty] };
  }
  const { message, line, column } = report.list().find(({ severity }) => severity === 'error')!;
  return { syntaxError: { message, offset: offsetOfLine(text, line) + column - 1 }, documents: [] };
}

/** @param line 1-based */
function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1;
  return at;
}
