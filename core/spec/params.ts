import type { Parameter } from '../model/workflow/workflow.ts';
import { MAX_PARAMETER_CHARACTERS, MAX_PARAMETERS } from './limits.ts';

/** A name, or the place of a positional parameter, before `=`. */
const assignment = /^([A-Za-z_][A-Za-z0-9_.-]*|[1-9][0-9]{0,4})=/;

/**
 * Reads parameters from one text, such as `first P=1 "two words"`: positional words and `KEY=value`,
 * separated by white space. A value in double quotes, single quotes or backticks may hold white space;
 * within double quotes `\"` is a quote and `\\` a backslash (any other backslash stands for itself), and
 * backticks stay for the expansion. A quote that is not closed stands for itself. Values are not expanded.
 * @param firstPlace place of the first one, where the text continues a list
 * @returns in order; a positional one is named by its place in the whole list, counted from 1
 */
export function parseParamText(text: string, firstPlace = 1): Parameter[] {
  const params: Parameter[] = [];
  const scanner: Scanner = { text, at: 0 };
  while (skipSpace(scanner)) params.push(scanParameter(scanner, firstPlace + params.length));
  return params;
}

/**
 * What is wrong with a text of parameters, as a sentence that says what to do: a value begins with a double or single
 * quote that is never closed, as in `PACE="0`, or has a NUL character in it. Undefined when nothing is. A backtick may
 * stay open, as in other texts. The value is not shown, since it may be a secret.
 * @param firstPlace as of {@link parseParamText}
 */
export function findParamProblem(text: string, firstPlace = 1): string | undefined {
  const scanner: Scanner = { text, at: 0 };
  for (let place = firstPlace; skipSpace(scanner); place += 1) {
    if (place - firstPlace >= MAX_PARAMETERS) return tooMany;
    const { name, value } = scanParameter(scanner, place);
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

/** What to say when parameters are over their limits; undefined when they are not. */
export function findParamExcess(params: readonly Parameter[]): string | undefined {
  if (params.length > MAX_PARAMETERS) return tooMany;
  const characters = params.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return characters > MAX_PARAMETER_CHARACTERS
    ? `The parameters have more than ${MAX_PARAMETER_CHARACTERS} characters in total. Pass large data in a file.`
    : undefined;
}

/**
 * Writes parameters as one text from which `parseParamText` reads the same again, whatever their values hold.
 * @param params with names that {@link isParamName} accepts
 */
export function formatParamText(params: readonly Parameter[]): string {
  return params.map(({ name, value }) => `${name}=${quoteValue(value)}`).join(' ');
}

/** Whether a name can stand before `=` in a text. */
export function isParamName(name: string): boolean {
  return assignment.exec(`${name}=`)?.[1] === name;
}

/** In quotes only where they are needed, and in those that need no escape where there is a choice. */
function quoteValue(value: string): string {
  if (/^[^\s"'`]\S*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `'${value}'`;
}

/**
 * Reads parameters of which each is one word already, as after `--` on a command line. Quotes are part
 * of the value.
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
 * The defaults with overrides in their place, as Dagu does it: by name alone, where the name of a positional value is
 * its place among the overrides. A positional value so never takes the place of a named default, nor of a named value
 * that was given. Those that replace nothing are appended in order; of two with the same name, the later counts.
 */
export function mergeParams(defaults: readonly Parameter[], overrides: readonly Parameter[]): Parameter[] {
  const values = new Map([...defaults, ...overrides].map(({ name, value }) => [name, value]));
  return Array.from(values, ([name, value]) => ({ name, value }));
}

interface Scanner {
  readonly text: string;
  at: number;
  /** The quote with which a value has begun, when nothing closes it and it has to be closed. */
  openQuote?: '"' | "'";
}

/** Moves to the next word; false at the end. */
function skipSpace(scanner: Scanner): boolean {
  const pattern = /\S/g;
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.text);
  scanner.at = found?.index ?? scanner.text.length;
  return found !== null;
}

function scanParameter(scanner: Scanner, place: number): Parameter {
  const pattern = new RegExp(assignment.source.slice(1), 'y');
  pattern.lastIndex = scanner.at;
  const [prefix, name] = pattern.exec(scanner.text) ?? [];
  scanner.at += prefix?.length ?? 0;
  return { name: name ?? String(place), value: scanValue(scanner) };
}

const quoted: Readonly<Record<string, RegExp>> = {
  '"': /"([^"\\]*(?:\\.[^"\\]*)*)"/sy,
  "'": /'([^']*)'/sy,
  '`': /(`[^`]*`)/sy,
};

/** A quoted part, if the value begins with one, and what follows it up to white space. */
function scanValue(scanner: Scanner): string {
  const quote = scanner.text[scanner.at] ?? '';
  const pattern = quoted[quote];
  let value = '';
  if (pattern !== undefined) {
    pattern.lastIndex = scanner.at;
    const found = pattern.exec(scanner.text);
    if (found !== null) {
      scanner.at = pattern.lastIndex;
      value = quote === '"' ? found[1]!.replaceAll(/\\(["\\])/g, '$1') : found[1]!;
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
