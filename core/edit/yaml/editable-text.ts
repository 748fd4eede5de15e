import { Composer, type Document } from 'yaml';
import { createReport } from '../../spec/source/report.ts';
import { createLineMap, type LineMap } from '../../spec/source/line-map.ts';
import { parseDocuments } from '../../spec/yaml/parse-yaml.ts';

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

/** Never throws, and costs nothing until something is asked. */
export function readEditable(text: string): EditableText {
  let parsed: Pick<EditableText, 'syntaxError' | 'documents'> | undefined;
  let lines: LineMap | undefined;
  const parse = (): Pick<EditableText, 'syntaxError' | 'documents'> => (parsed ??= parseText(text));
  return {
    text,
    get syntaxError() {
      return parse().syntaxError;
    },
    get documents() {
      return parse().documents;
    },
    get lines() {
      return (lines ??= createLineMap(text));
    },
  };
}

function parseText(text: string): Pick<EditableText, 'syntaxError' | 'documents'> {
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
