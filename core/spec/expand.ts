import { AppError } from '../base/errors.ts';
import { type PathElement, parseTemplate, type Reference, type Segment } from './parse-template.ts';
import { MAX_EXPANDED_CHARACTERS } from './limits.ts';

/** Result of following a path into a JSON string. */
export type PathResult =
  | { readonly kind: 'found'; readonly text: string }
  /** `at`: index of the first element that does not exist. */
  | { readonly kind: 'missing'; readonly at: number }
  /** The string is not JSON (`at` 0), or element `at` indexes into a scalar. */
  | { readonly kind: 'unreadable'; readonly at: number };

/** Parsed JSON strings, because a template may refer to a large one many times. */
type JsonCache = Map<string, { readonly value: unknown } | undefined>;

/** Follows a path into a JSON string. Null is the empty string; objects and arrays are compact JSON. */
function readPath(json: string, path: readonly PathElement[], cache: JsonCache): PathResult {
  const parsed = parseOnce(json, cache);
  if (parsed === undefined) return { kind: 'unreadable', at: 0 };
  let value = parsed.value;
  for (const [at, { key }] of path.entries()) {
    if (value === null) return { kind: 'missing', at };
    // An output of a sub-workflow may itself be a JSON string.
    const container = typeof value === 'string' ? parseOnce(value, cache)?.value : value;
    const part = readProperty(container, at + 1 < path.length ? keyForPath(container, key) : key);
    if (typeof part === 'string') return { kind: part, at };
    value = part.value;
  }
  return format(value);
}

/**
 * Returns the key to use if the path continues. The output of a sub-workflow has its parameters as a string in
 * `params`, in Dagu's format, and as an object in `paramsMap`: `${RESULT.params.A}` reads from the object.
 */
function keyForPath(container: unknown, key: string | number): string | number {
  if (key !== 'params' || !isJsonObject(container) || typeof container['params'] !== 'string') return key;
  return isJsonObject(container['paramsMap']) ? 'paramsMap' : key;
}

function readProperty(
  container: unknown,
  key: string | number,
): { value: unknown } | 'missing' | 'unreadable' {
  if (Array.isArray(container) && typeof key === 'number') {
    const index = key < 0 ? container.length + key : key;
    return index >= 0 && index < container.length ? { value: container[index] as unknown } : 'missing';
  }
  if (!isJsonObject(container) || typeof key === 'number') return 'unreadable';
  return Object.hasOwn(container, key) ? { value: container[key] } : 'missing';
}

function parseOnce(json: string, cache: JsonCache): { readonly value: unknown } | undefined {
  if (!cache.has(json)) cache.set(json, parse(json));
  return cache.get(json);
}

/** Numbers that need exact parsing, which is slower. */
const mayLoseDigits = /[0-9]{16}|[0-9][.eE]/;

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: mayLoseDigits.test(json) ? parseExactJson(json) : (JSON.parse(json) as unknown) };
  } catch {
    return undefined;
  }
}

function format(value: unknown): PathResult {
  if (value === null) return { kind: 'found', text: '' };
  if (typeof value === 'string') return { kind: 'found', text: value };
  try {
    return { kind: 'found', text: JSON.stringify(value) };
  } catch {
    // Nesting deeper than the stack is not supported.
    return { kind: 'unreadable', at: 0 };
  }
}

/** JavaScript numbers cannot represent every JSON number exactly, so the original digits are preserved. */
const rawJson = JSON as unknown as { rawJSON(text: string): unknown; isRawJSON(value: unknown): boolean };

const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? rawJson.rawJSON(context.source)
    : value;

/**
 * Parses JSON. Numbers are serialized again with their original digits instead of the nearest representable value.
 * @throws for invalid JSON and for nesting deeper than the stack
 */
export const parseExactJson = (text: string): unknown => JSON.parse(text, keepDigits) as unknown;

/** Whether a parsed value is an object and not an array or a scalar. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !rawJson.isRawJSON(value);

/** The values that a template can refer to. */
export interface ExpansionScope {
  /** Returns the value of a variable; positional parameters are named `1`, `2`, … */
  lookup(name: string): string | undefined;
  /**
   * Returns the value of `${id.stdout}` and similar references: the absolute path of the step's newest log file or its
   * exit code, or an empty string before the step has run. Undefined if no step has the id. Takes precedence over a
   * variable of the same name, as in Dagu.
   */
  stepProperty?(id: string, property: StepProperty): string | undefined;
  /** Returns a value that replaces a reference with its path and modifier; undefined to look it up as usual. */
  answer?(reference: Reference): string | undefined;
}

/** Properties of a step that a template can refer to. */
export type StepProperty = 'stdout' | 'stderr' | 'exitCode';

/** A scope that can also run commands in backticks. */
export interface CommandScope extends ExpansionScope {
  /**
   * Runs a command and returns its output. If absent, commands are left as written. The expansion rejects with the
   * same error.
   */
  runCommand?(command: string): Promise<string>;
}

/** A string that is too long after its variables are expanded. */
export class ExpansionLimitError extends AppError {
  /** @param name variable whose value is too long */
  constructor(name?: string) {
    const what = name === undefined ? 'The value' : `The value of "${name}"`;
    super(
      'bad_request',
      `${what} has more than ${MAX_EXPANDED_CHARACTERS} characters after variable expansion. Put the data into a file and use the file name.`,
    );
  }
}

/** Returns the error to throw instead, so that the message names the variable whose value is too long. */
export const nameLimit = (name: string, error: unknown): unknown =>
  error instanceof ExpansionLimitError ? new ExpansionLimitError(name) : error;

/** The expanded string and the warnings for the author of the workflow, without duplicates. */
export interface Expansion {
  readonly value: string;
  readonly warnings: string[];
}

/**
 * Expands variables and commands in a string of a workflow: `env` values, parameters, directories, conditions,
 * arguments. Shell text is not expanded here: the shell expands it from variables, so that a value is never parsed as
 * code. Inserted values are not expanded again. For the rules and examples, see docs/expansion.md.
 * @throws ExpansionLimitError
 */
export async function expandTemplate(text: string, scope: CommandScope): Promise<Expansion> {
  const run = startExpansion(text, scope);
  let turn = run.steps.next();
  while (!turn.done) turn = run.steps.next(await scope.runCommand?.(turn.value));
  return { value: turn.value, warnings: [...run.warnings] };
}

/** Expands variables only; commands are left as written. */
export function expandVariables(text: string, scope: ExpansionScope): Expansion {
  const run = startExpansion(text, scope);
  let turn = run.steps.next();
  while (!turn.done) turn = run.steps.next(undefined);
  return { value: turn.value, warnings: [...run.warnings] };
}

/** Yields the commands to run and receives their outputs, or undefined to leave a command as written. */
type Steps = Generator<string, string, string | undefined>;

interface Context {
  readonly scope: ExpansionScope;
  readonly warnings: Set<string>;
  readonly cache: JsonCache;
}

function startExpansion(
  text: string,
  scope: ExpansionScope,
): { steps: Steps; warnings: ReadonlySet<string> } {
  const context: Context = { scope, warnings: new Set(), cache: new Map() };
  return { steps: expandSegments(parseTemplate(text), context), warnings: context.warnings };
}

function* expandSegments(segments: readonly Segment[], context: Context): Steps {
  let value = '';
  for (const segment of segments) {
    switch (segment.kind) {
      case 'literal':
        value += segment.text;
        break;
      case 'reference':
        value += yield* expandReference(segment, context);
        break;
      case 'command':
        value += (yield segment.command)?.trim() ?? segment.source;
        break;
      case 'unsupported':
        context.warnings.add(
          `${segment.source} is not expanded: only ":-", ":+" and slices are supported here. Use a command instead.`,
        );
        value += segment.source;
        break;
    }
    if (value.length > MAX_EXPANDED_CHARACTERS) throw new ExpansionLimitError();
  }
  return value;
}

function* expandReference(reference: Reference, context: Context): Steps {
  const { modifier } = reference;
  const answered = context.scope.answer?.(reference);
  if (answered !== undefined) return answered;
  const found = find(reference, context);
  switch (modifier?.kind) {
    case undefined:
      return found ?? warnAboutMissingValue(reference, context);
    case 'default':
      return found ? found : yield* expandSegments(modifier.segments, context);
    case 'alternative':
      return found ? yield* expandSegments(modifier.segments, context) : '';
    case 'slice':
      return found === undefined
        ? warnAboutMissingValue(reference, context)
        : slice(found, modifier.offset, modifier.length);
  }
}

/** Returns the value before its modifier is applied; undefined if there is none. */
function find(reference: Reference, context: Context): string | undefined {
  const property = findStepProperty(reference, context.scope);
  if (property !== undefined) return property;
  const value = context.scope.lookup(reference.name);
  if (value === undefined || reference.path.length === 0) return value;
  const result = readPath(value, reference.path, context.cache);
  if (result.kind === 'found') return result.text;
  return reference.braced ? undefined : resolveLongestPath(value, reference, result.at, context);
}

/** Both spellings of the exit code are accepted, as in Dagu. */
const stepProperties: ReadonlyMap<string | number, StepProperty> = new Map([
  ['stdout', 'stdout'],
  ['stderr', 'stderr'],
  ['exitCode', 'exitCode'],
  ['exit_code', 'exitCode'],
]);

/** Whether a path element is a property of a step, if the name before it is a step's. */
export const isStepProperty = (key: string | number): boolean => stepProperties.has(key);

/** Finds the property of a step. Without braces, literal text may follow the property as it may follow a variable. */
function findStepProperty(reference: Reference, scope: ExpansionScope): string | undefined {
  const { name, path, braced } = reference;
  const property = path.length === 0 ? undefined : stepProperties.get(path[0]!.key);
  if (property === undefined || (braced && path.length > 1)) return undefined;
  const value = scope.stepProperty?.(name, property);
  return value === undefined ? undefined : value + getPathText(reference, 1);
}

/**
 * Follows the path as far as possible: `$FILE.txt` is a variable and a literal; `$RESULT.name.txt` may be a path and a
 * literal.
 */
function resolveLongestPath(value: string, reference: Reference, length: number, context: Context): string {
  const part = length > 0 ? readPath(value, reference.path.slice(0, length), context.cache) : undefined;
  return part?.kind === 'found'
    ? part.text + getPathText(reference, length)
    : value + getPathText(reference, 0);
}

const getPathText = (reference: Reference, from: number): string =>
  reference.path
    .slice(from)
    .map((element) => element.source)
    .join('');

/** Returns the replacement for a missing value and adds a warning. */
function warnAboutMissingValue(reference: Reference, context: Context): string {
  const { name, path, source } = reference;
  const value = context.scope.lookup(name);
  if (path.length === 0) return '';
  if (value === undefined) return reference.braced ? source : getPathText(reference, 0);
  const result = readPath(value, path, context.cache);
  if (result.kind === 'missing') {
    context.warnings.add(`${source} is empty: the JSON in ${name} has no ${path[result.at]!.source}.`);
    return '';
  }
  context.warnings.add(`${source} is not expanded: the value of ${name} is not JSON with this path.`);
  return source;
}

/** Slices by code points, not by UTF-16 code units. */
function slice(value: string, offset: number, length: number | undefined): string {
  const count = countCharacters(value);
  const start = offset < 0 ? count + offset : offset;
  if (start < 0) return '';
  const end = length === undefined ? count : length < 0 ? count + length : start + length;
  if (end <= start) return '';
  if (count === value.length) return value.slice(start, end);
  const from = getField(value, start);
  return value.slice(from, getField(value, end - start, from));
}

/** Counts code points: a surrogate pair counts once. */
function countCharacters(value: string): number {
  let count = value.length;
  for (const _ of value.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count -= 1;
  return count;
}

/** Returns the index after a number of code points. */
function getField(value: string, characters: number, from = 0): number {
  let at = from;
  for (let remaining = characters; remaining > 0 && at < value.length; remaining -= 1)
    at += value.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
