import { findNearest } from '../base/text.ts';
import { isWebhookParam } from '../model/webhook.ts';
import type { Parameter, Workflow } from '../model/workflow.ts';
import { MAX_PARAMETER_CHARACTERS, MAX_PARAMETERS } from './limits.ts';

/** A name, or the number of a positional parameter, before `=`. */
const assignment = /^([A-Za-z_][A-Za-z0-9_.-]*|[1-9][0-9]{0,4})=/;

/**
 * Parses parameters from one string, such as `first P=1 "two words"`: positional words and `KEY=value`, separated by
 * whitespace. A value in double quotes, single quotes or backticks may contain whitespace. Within double quotes, `\"`
 * is a quote and `\\` a backslash (any other backslash is literal); backticks stay for expansion. An unclosed
 * quote is literal. Values are not expanded.
 * @param firstPlace number of the first parameter, if the string continues a list
 * @returns in order; a positional parameter is named by its 1-based number in the whole list
 */
export function parseParamText(text: string, firstNumber = 1): Parameter[] {
  const params: Parameter[] = [];
  const scanner: Scanner = { text, at: 0 };
  while (skipSpace(scanner)) params.push(scanParameter(scanner, firstNumber + params.length));
  return params;
}

/**
 * Finds the first error in a parameter string and returns a message with what to do, or undefined: a value with an
 * unclosed double or single quote, as in `PACE="0`, or a NUL character. A backtick may be unclosed. The message does
 * not contain the value, which may be a secret.
 * @param firstPlace as in {@link parseParamText}
 */
export function findParamProblem(text: string, firstNumber = 1): string | undefined {
  const scanner: Scanner = { text, at: 0 };
  for (let position = firstNumber; skipSpace(scanner); position += 1) {
    if (position - firstNumber >= MAX_PARAMETERS) return tooMany;
    const { name, value } = scanParameter(scanner, position);
    if (value.includes('\0'))
      return `The value of parameter ${name} contains a NUL character, which environment variables do not allow. Remove it.`;
    const { openQuote: quote } = scanner;
    if (quote === undefined) continue;
    const other = quote === '"' ? "'" : '"';
    return `The value of parameter ${name} starts with an unclosed ${quote}. Add a closing ${quote}, or put the value in ${other} if the ${quote} is part of it.`;
  }
  return undefined;
}

const tooMany = `More than ${MAX_PARAMETERS} parameters. Pass large data in a file.`;

/** Returns the error message if parameters exceed their limits, else undefined. */
export function findParamLimitProblem(params: readonly Parameter[]): string | undefined {
  if (params.length > MAX_PARAMETERS) return tooMany;
  const characters = params.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return characters > MAX_PARAMETER_CHARACTERS
    ? `The parameters have more than ${MAX_PARAMETER_CHARACTERS} characters in total. Pass large data in a file.`
    : undefined;
}

/**
 * Formats parameters as one string that `parseParamText` parses to the same parameters, whatever their values contain.
 * @param params with names that {@link isParamName} accepts
 */
export function formatParamText(params: readonly Parameter[]): string {
  return params.map(({ name, value }) => `${name}=${quoteValue(value)}`).join(' ');
}

/**
 * Returns a warning for each passed name that an untyped workflow does not declare. A workflow without named parameters
 * may use any.
 */
export function findUnknownParams(
  { params, paramSchema }: Pick<Workflow, 'params' | 'paramSchema'>,
  passed: readonly Parameter[],
): string[] {
  const known = params.map(({ name }) => name).filter((name) => !/^[0-9]+$/.test(name));
  if (paramSchema !== undefined || known.length === 0) return [];
  const unknown = passed.filter(
    ({ name }) => !/^[0-9]+$/.test(name) && !known.includes(name) && !isWebhookParam(name),
  );
  return unknown.slice(0, 20).map(({ name }) => {
    const nearest = findNearest(name, known);
    return `Unknown parameter "${name.slice(0, 60)}". ${nearest === undefined ? `Parameters: ${known.slice(0, 10).join(', ')}.` : `Did you mean "${nearest}"?`}`;
  });
}

/** Whether a name can precede `=` in a parameter string. */
export function isParamName(name: string): boolean {
  return assignment.exec(`${name}=`)?.[1] === name;
}

/** Quotes a value only if needed, preferably with quotes that need no escapes. */
function quoteValue(value: string): string {
  if (/^[^\s"'`]\S*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `'${value}'`;
}

/**
 * Parses parameters that are already separate words, as after `--` on a command line. Quotes are part of the value.
 */
export function parseParamTokens(words: readonly string[]): Parameter[] {
  return words.map((word, index) => {
    const [prefix, name] = assignment.exec(word) ?? [];
    return {
      name: name ?? String(index + 1),
      value: prefix === undefined ? word : word.slice(prefix.length),
    };
  });
}

/**
 * Merges overrides into the defaults by name, as Dagu does; the name of a positional value is its number among the
 * overrides. A positional value therefore never replaces a named default or a named override. Overrides without a
 * default are appended in order; for duplicate names, the later value is used.
 */
export function mergeParams(defaults: readonly Parameter[], overrides: readonly Parameter[]): Parameter[] {
  const values = new Map([...defaults, ...overrides].map(({ name, value }) => [name, value]));
  return Array.from(values, ([name, value]) => ({ name, value }));
}

interface Scanner {
  readonly text: string;
  at: number;
  /** The opening quote of a value if it is unclosed and must be closed. */
  openQuote?: '"' | "'";
}

/** Moves to the next word. Returns false at the end. */
function skipSpace(scanner: Scanner): boolean {
  const pattern = /\S/g;
  pattern.lastIndex = scanner.at;
  const match = pattern.exec(scanner.text);
  scanner.at = match?.index ?? scanner.text.length;
  return match !== null;
}

function scanParameter(scanner: Scanner, position: number): Parameter {
  const pattern = new RegExp(assignment.source.slice(1), 'y');
  pattern.lastIndex = scanner.at;
  const [prefix, name] = pattern.exec(scanner.text) ?? [];
  scanner.at += prefix?.length ?? 0;
  return { name: name ?? String(position), value: scanValue(scanner) };
}

const quoted: Readonly<Record<string, RegExp>> = {
  '"': /"([^"\\]*(?:\\.[^"\\]*)*)"/sy,
  "'": /'([^']*)'/sy,
  '`': /(`[^`]*`)/sy,
};

/** Reads a quoted part, if the value starts with one, and the rest up to whitespace. */
function scanValue(scanner: Scanner): string {
  const quote = scanner.text[scanner.at] ?? '';
  const pattern = quoted[quote];
  let value = '';
  if (pattern !== undefined) {
    pattern.lastIndex = scanner.at;
    const match = pattern.exec(scanner.text);
    if (match !== null) {
      scanner.at = pattern.lastIndex;
      value = quote === '"' ? match[1]!.replaceAll(/\\(["\\])/g, '$1') : match[1]!;
    } else if (quote === '"' || quote === "'") {
      scanner.openQuote = quote;
    }
  }
  const rest = /\S*/y;
  rest.lastIndex = scanner.at;
  const tail = rest.exec(scanner.text)?.[0] ?? '';
  scanner.at += tail.length;
  return value + tail;
}
