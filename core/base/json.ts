import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { truncate } from './text.ts';

/** Any value that survives a JSON round trip unchanged. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** Whether a string is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Most values and keys of external JSON. Parsing takes time by their number, and blocks the event loop meanwhile:
 * 200,000 take 20 to 150 ms, 25 MB of `{}` two seconds and more.
 */
export const MAX_JSON_VALUES = 200_000;

/**
 * Most keys of one object in external JSON. Objects with many keys are slower than anything else of that size:
 * validating and copying one with 10,000 keys takes 15 ms, one with 100,000 half a second.
 */
export const MAX_OBJECT_KEYS = 10_000;

/**
 * Size of JSON, in bytes or characters, from which on each operation, such as parsing or storing, runs in an event-loop
 * tick of its own.
 */
export const LARGE_JSON = 1024 * 1024;

const [quote, backslash, comma, colon, list, listEnd, map, mapEnd] = Array.from('"\\,:[]{}', (sign) =>
  sign.charCodeAt(0),
);

/** More levels of nesting than programs write, and fewer than a parser can handle. */
const maxDepth = 2_000;

/**
 * Returns which limit a JSON string exceeds: values and keys, keys of one object, or levels. It is scanned and not
 * parsed, so it need not be valid JSON.
 */
export function findExceededJsonLimit(
  text: string,
  maxValues = MAX_JSON_VALUES,
): 'values' | 'keys' | 'levels' | undefined {
  // A value takes at least one character, a key with its value at least four.
  if (text.length <= Math.min(maxValues, 4 * MAX_OBJECT_KEYS)) return undefined;
  const keys = [0];
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = findStringEnd(text, at);
    else if (code === comma || code === colon || isNonEmptyStart(text, at, code)) values += 1;
    if (code === list || code === map) keys.push(0);
    else if (code === listEnd || code === mapEnd) keys.pop();
    else if (code === colon && (keys[keys.length - 1]! += 1) > MAX_OBJECT_KEYS) return 'keys';
    if (keys.length > maxDepth) return 'levels';
    if (values > maxValues) return 'values';
  }
  return undefined;
}

/** Returns the message for an exceeded limit, as a phrase that follows the name of the document. */
export const formatExceededJsonLimit = (exceeded: 'values' | 'keys'): string =>
  exceeded === 'values'
    ? `has more than ${MAX_JSON_VALUES} values and keys`
    : `has an object with more than ${MAX_OBJECT_KEYS} keys`;

/** Whether a non-empty list or object starts here. */
const isNonEmptyStart = (text: string, at: number, code: number): boolean =>
  (code === list && text.charCodeAt(at + 1) !== listEnd) ||
  (code === map && text.charCodeAt(at + 1) !== mapEnd);

/** Returns the position of the closing quote of a string; the end of the input when it is not closed. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** Whether two plain data values are deeply equal. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isEqual(item, b[index]))
    );
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key as never], b[key as never]))
  );
}

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
