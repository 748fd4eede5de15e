import type { ErrorObject, ValidateFunction } from 'ajv';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { compilePattern } from '../../base/pattern.ts';
import type { Parameter } from '../../model/workflow.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../spec/expand.ts';
import { parseJsonContainer, stringifyJson } from '../values/outputs.ts';
import { listParamFields } from '../../spec/param-form.ts';
import { describeIssues } from './schema-issues.ts';

/** A way to read the string of a parameter, and the resulting value. */
interface Reading {
  readonly text: string;
  /** Creates a new value each time, because validation may fill something in. */
  value(): unknown;
}

const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * Reads a string where the schema asks for another type: null when it is empty, `true` or `false`, a decimal number, a
 * JSON list or object. Returns undefined when it is none of these.
 */
function readAs(text: string): Reading | undefined {
  if (text === '') return { text, value: () => null };
  if (text === 'true' || text === 'false') return { text, value: () => text === 'true' };
  if (decimal.test(text))
    return Number.isFinite(Number(text)) ? { text, value: () => Number(text) } : undefined;
  if (parseJsonContainer(text) === undefined) return undefined;
  return { text, value: () => JSON.parse(text) as unknown };
}

/** A JSON Schema, and its name for messages. Plain data, because it is sent to a thread. */
export interface NamedSchema {
  readonly schema: JsonObject;
  /** Starts with a space; empty for a schema that is written in the workflow. */
  readonly name: string;
}

/** Most levels of lists and objects in a value. */
const maxDepth = 32;
/** Most errors to build a message from; their number depends on the schema and the value. */
const maxErrors = 1_000;

/** A compiled schema. The schema and the values determine its cost: see `ParamSchema`. */
export class SchemaCheck {
  readonly #validate: ValidateFunction;
  readonly #schema: JsonObject;
  /** Names of the parameters that the schema lists, in schema order. */
  readonly #names: readonly string[];

  private constructor(validate: ValidateFunction, schema: JsonObject) {
    this.#validate = validate;
    this.#schema = schema;
    this.#names = namesIn(schema);
  }

  /**
   * Compiles a schema.
   * @throws `invalid_spec` for an invalid schema
   */
  static async compile({ schema, name }: NamedSchema): Promise<SchemaCheck> {
    return new SchemaCheck(await compile(schema, name), schema);
  }

  /**
   * Validates parameters and fills in the defaults of the schema. Each string is read as the type that its schema asks
   * for: a number, `true` or `false`, a JSON list or object, null when it is empty.
   * @returns the explicit parameters unchanged, then the filled-in ones in schema order: strings as they are, null as
   * the empty string, other values as JSON
   * @throws `bad_request` with all errors
   */
  apply(params: readonly Parameter[]): Parameter[] {
    try {
      return this.#apply(params);
    } catch (error) {
      if (error instanceof RangeError) throw tooDeep('a value');
      throw error;
    }
  }

  #apply(params: readonly Parameter[]): Parameter[] {
    const texts = new Map(params.map(({ name, value }) => [name, value]));
    const inputs = this.#read(texts);
    const { values, errors } = this.#check(inputs);
    if (errors.length > 0) {
      const { text, errors: fields, missing } = describeIssues(errors.slice(0, maxErrors), this.#names);
      const asked = new Set(missing);
      const details = {
        ...(fields.length > 0 && { errors: fields }),
        ...(asked.size > 0 && {
          missing: listParamFields([], this.#schema).filter(({ name }) => asked.has(name)),
        }),
      };
      throw new AppError('bad_request', `parameter validation failed: ${text}`, { details });
    }
    const known = Array.from(inputs, ([name, reading]) => ({
      name,
      value: textAfter(reading, values[name]),
    }));
    const filled = Object.keys(values).filter((name) => !texts.has(name));
    return [...known, ...filled.map((name) => ({ name, value: stringifyJson(values[name]) }))];
  }

  /**
   * Returns the value of each string: the string itself where the schema accepts it, otherwise what it can be read as.
   */
  #read(texts: ReadonlyMap<string, string>): Map<string, Reading> {
    const strings = new Map(Array.from(texts, ([name, text]) => [name, { text, value: () => text }]));
    const issues = this.#check(strings);
    const alternatives = new Map<string, Reading>();
    for (const name of new Set(issues.errors.map(getName))) {
      const text = texts.get(name);
      const reading = text === undefined ? undefined : readAs(text);
      if (reading === undefined) continue;
      if (isDeeperThan(maxDepth, reading.value())) throw tooDeep(`"${name}"`);
      alternatives.set(name, reading);
    }
    if (alternatives.size === 0) return strings;
    const { errors } = this.#check(new Map([...strings, ...alternatives]));
    const [before, after] = [countWrongTypes(issues.errors), countWrongTypes(errors)];
    // Otherwise the schema asks for a string, only for a different one.
    const chosen = [...alternatives].filter(([name]) => (after.get(name) ?? 0) <= (before.get(name) ?? 0));
    return new Map([...strings, ...chosen]);
  }

  #check(readings: ReadonlyMap<string, Reading>): {
    values: Record<string, unknown>;
    errors: readonly ErrorObject[];
  } {
    // New values each time, because Ajv fills in defaults; own properties, because a parameter can have any name.
    const values = Object.fromEntries(Array.from(readings, ([name, { value }]) => [name, value()]));
    const errors = this.#validate(values) ? [] : [...(this.#validate.errors ?? [])];
    return { values, errors };
  }
}

/** Returns the names of the parameters that a schema lists, in schema order. */
export const namesIn = ({ properties }: JsonObject): string[] =>
  isJsonObject(properties) ? Object.keys(properties) : [];

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item)));

const tooDeep = (subject: string): AppError =>
  new AppError(
    'bad_request',
    `parameter validation failed: ${subject} is nested more than ${maxDepth} levels deep`,
  );

/** Returns the original string, unless the schema has filled something into it. */
function textAfter({ text, value }: Reading, after: unknown): string {
  if (typeof after !== 'object' || after === null) return text;
  const actual = JSON.stringify(after);
  return actual === JSON.stringify(value()) ? text : actual;
}

/** Counts, per parameter, the type errors of whole values, not of parts of them. */
function countWrongTypes(errors: readonly ErrorObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const error of errors) {
    const isWhole = error.instancePath.lastIndexOf('/') === 0;
    if (error.keyword === 'type' && isWhole)
      counts.set(getName(error), (counts.get(getName(error)) ?? 0) + 1);
  }
  return counts;
}

/** Returns the name of the parameter that an error is about; empty when it is about all of them. */
function getName({ instancePath }: ErrorObject): string {
  const [, name = ''] = instancePath.split('/');
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

const drafts = [
  {
    pattern: /json-schema\.org\/draft\/2020-12\/schema#?$/,
    load: async () => (await import('ajv/dist/2020.js')).Ajv2020,
  },
  { pattern: /json-schema\.org\/draft-07\/schema#?$/, load: async () => (await import('ajv')).Ajv },
] as const;
const newestDraft = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema patterns are JavaScript patterns, which can run forever; RE2 patterns cannot. */
const patternEngine = Object.assign((pattern: string) => compilePattern(pattern), { code: 'compilePattern' });

/** Compiles a schema. Ajv is loaded on demand, because it is large and few workflows need it. */
async function compile(schema: JsonObject, name: string): Promise<ValidateFunction> {
  // With `$async` validation would return a promise, which is never false.
  const { $schema = newestDraft, $async: _, ...rest } = schema;
  const dialect = typeof $schema === 'string' ? $schema : JSON.stringify($schema);
  const draft = drafts.find(({ pattern }) => pattern.test(dialect));
  if (draft === undefined)
    throw brokenSchema(name, `its "$schema" is "${dialect}". Use ${newestDraft}, or draft 7`);
  const Compiler = await draft.load();
  try {
    return new Compiler({
      allErrors: true,
      useDefaults: true,
      // Adds the values to the errors, for messages.
      verbose: true,
      ownProperties: true,
      strict: false,
      validateFormats: false,
      logger: false,
      code: { regExp: patternEngine },
    }).compile(rest);
  } catch (error) {
    const reason = getErrorMessage(error);
    const remedy = reason.startsWith("can't resolve reference")
      ? '. References must stay within the schema'
      : '';
    throw brokenSchema(name, `${reason.slice(0, 500)}${remedy}`);
  }
}

function brokenSchema(name: string, reason: string): AppError {
  return new AppError('invalid_spec', `Invalid JSON Schema for parameters${name}: ${reason}`);
}
