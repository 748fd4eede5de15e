import { authoredKeys } from '../../authored-keys.ts';
import type { LineMap } from '../../source/line-map.ts';
import { readKey, readLineAfter, readLineAt, readOpenBlocks, type BlockLine } from './block-columns.ts';
import { explainIndentation } from './explain-indentation.ts';
import { readValueAt, suggestQuotes } from './suggest-quotes.ts';

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
export function explainLine(mistake: YamlError, line = lineOf(mistake)): Explanation | undefined {
  const { text, documentStart, lines } = mistake;
  const from = { offset: documentStart, line: lines.locate(documentStart).line };
  const message = explainIndentation(line, readOpenBlocks(text, from, line));
  return message === undefined ? undefined : { offset: line.start, message };
}

/** Explains a line that should be `key: value`. */
export function explainMissingColon(mistake: YamlError): Explanation | undefined {
  const line = lineOf(mistake);
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
  const next = readLineAfter(text, lineOf(mistake));
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
  const { start, text } = lineOf(mistake);
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
    message: `The indentation contains the character U+${code}, which only looks like a space. Replace it with spaces.`,
  };
}

function lineOf({ text, offset, lines }: YamlError): BlockLine {
  return readLineAt(text, offset, lines.locate(offset).line);
}
