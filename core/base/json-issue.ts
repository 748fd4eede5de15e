import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { truncate } from './text.ts';

/** Where a string stops being valid JSON, and what is expected there. */
export interface JsonIssue {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units as editors count; for an invalid JSON string, its start. */
  readonly column: number;
  /** End of a sentence: `a value is expected, not "}"`. */
  readonly message: string;
}

const separator = 'a comma or the end of the list or object';

/** The expected token by the parser's error code; the message also names the actual token. */
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

/** Errors within a JSON string. */
const textFaults: Readonly<Record<string, string>> = {
  UnexpectedEndOfString: String.raw`unclosed double quote on this line; write \n for a line break`,
  InvalidUnicode: String.raw`\u must be followed by four hexadecimal digits`,
  InvalidEscapeCharacter: String.raw`invalid escape sequence; write \\ for a backslash`,
  InvalidCharacter: String.raw`control character in a string; write \t or \u0000`,
};

/**
 * Finds the first position at which a string is not valid JSON (RFC 8259). JavaScript's own errors have a position in
 * some cases only, and their wording changes between releases.
 * @returns undefined for valid JSON, and for input that is nested several thousand levels deep before its first error
 */
export function findJsonIssue(text: string): JsonIssue | undefined {
  let issue: JsonIssue | undefined;
  // A byte order mark is not part of the JSON; replacing it by a space preserves the columns.
  const json = text.replace(/^\uFEFF/, ' ');
  const onError: JSONVisitor['onError'] = (code, offset, length, line, column) => {
    issue ??= {
      line: line + 1,
      column: column + 1,
      message: formatIssue(printParseErrorCode(code), json.slice(offset, offset + length)),
    };
  };
  try {
    visit(json, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
  }
  return issue;
}

function formatIssue(problem: string, actual: string): string {
  if (problem in textFaults) return textFaults[problem]!;
  const instead = actual === '' ? 'but the input ends' : `not ${JSON.stringify(truncate(actual, 20))}`;
  return `expected ${expectations[problem] ?? 'JSON'}, ${instead}`;
}

/** Formats the error as a part of a sentence: `line 1, column 9: a value is expected, not "}"`. */
export const formatJsonIssue = ({ line, column, message }: JsonIssue): string =>
  `line ${line}, column ${column}: ${message}`;

/** Formats the error of a string that is known not to be valid JSON. */
export function explainInvalidJson(text: string): string {
  const problem = findJsonIssue(text);
  return problem === undefined ? 'nested too deeply' : formatJsonIssue(problem);
}
