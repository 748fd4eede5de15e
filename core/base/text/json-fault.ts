import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { clip } from './clip.ts';

/** Where a text stops being JSON, and what should stand there. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count; of a text in double quotes that is wrong, where it begins. */
  readonly column: number;
  /** A sentence's end: `a value is expected, not "}"`. */
  readonly message: string;
}

const separator = 'a comma or the end of the list or object';

/** What is expected, by what the parser calls a fault; what stands there instead is told as well. */
const expectations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value or a name in double quotes',
  UnexpectedEndOfNumber: 'a number that ends with a digit',
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon',
  CommaExpected: separator,
  CloseBraceExpected: separator,
  CloseBracketExpected: separator,
  EndOfFileExpected: 'the end of the input',
  InvalidCommentToken: 'JSON without comments',
};

/** What is wrong within a text in double quotes. */
const textFaults: Readonly<Record<string, string>> = {
  UnexpectedEndOfString: String.raw`unclosed double quote on this line; write \n for a line break`,
  InvalidUnicode: String.raw`\u must be followed by four hexadecimal digits`,
  InvalidEscapeCharacter: String.raw`invalid escape sequence; write \\ for a backslash`,
  InvalidCharacter: String.raw`control character in a string; write \t or \u0000`,
};

/**
 * Finds the first place at which a text is no JSON (RFC 8259). What JavaScript says of it names a place for some faults
 * only, and in other words with each release.
 * @returns undefined for JSON, and for what is nested some thousand deep before its first fault
 */
export function findJsonFault(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined;
  // A mark of the byte order is no part of the JSON; a blank keeps the columns.
  const json = text.replace(/^\uFEFF/, ' ');
  const onError: JSONVisitor['onError'] = (code, offset, length, line, column) => {
    fault ??= {
      line: line + 1,
      column: column + 1,
      message: describe(printParseErrorCode(code), json.slice(offset, offset + length)),
    };
  };
  try {
    visit(json, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
  }
  return fault;
}

function describe(fault: string, found: string): string {
  if (fault in textFaults) return textFaults[fault]!;
  const instead = found === '' ? 'but the input ends' : `not ${JSON.stringify(clip(found, 20))}`;
  return `expected ${expectations[fault] ?? 'JSON'}, ${instead}`;
}

/** The fault as part of a sentence: `line 1, column 9: a value is expected, not "}"`. */
export const formatJsonFault = ({ line, column, message }: JsonFault): string =>
  `line ${line}, column ${column}: ${message}`;

/** The same for a text that has turned out to be no JSON. */
export function describeJsonFault(text: string): string {
  const fault = findJsonFault(text);
  return fault === undefined ? 'nested too deeply' : formatJsonFault(fault);
}
