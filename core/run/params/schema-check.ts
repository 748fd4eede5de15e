import type { ErrorObject, ValidateFunction } from 'ajv';
import { AppError, messageOf } from '../../base/errors.ts';
import { compilePattern } from '../../base/text/pattern.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../spec/expand/exact-json.ts';
import { textOfJson } from '../values/json-text.ts';
import { describeFaults } from './schema-faults.ts';
import { readAs, type Reading } from './value-readings.ts';

/** A JSON Schema, and what to call it in messages. Plain data: it is sent to a thread. */
export interface NamedSchema {
  readonly schema: JsonObject;
  /** Begins with a blank; empty for one that is written in the workflow. */
  readonly name: string;
}

/** Levels of lists and objects in a value. */
const maxDepth = 32;
/** Errors of which a message is made; the schema and the value decide how many there are. */
const maxErrors = 1_000;

/** A compiled schema. What it costs is up to the schema and the values: see `ParamSchema`. */
export class SchemaCheck {
  readonly #validate: ValidateFunction;
  /** Names of the parameters that the schema lists, in its order. */
  readonly #names: readonly string[];

  private constructor(validate: ValidateFunction, names: readonly string[]) {
    this.#validate = validate;
    this.#names = names;
  }

  /** Rejects with `invalid_spec` for what is no schema. */
  static async compile({ schema, name }: NamedSchema): Promise<SchemaCheck> {
    return new SchemaCheck(await compile(schema, name), namesIn(schema));
  }

  /**
   * Checks parameters and fills in the defaults of the schema. Each text is read as the value that its schema asks
   * for: a number, `true` or `false`, a JSON list or object, null when it is empty.
   * @returns those given, as they are, then those filled in, in the order of the schema: texts as they are, null as
   * the empty text, other values as JSON
   * Throws `bad_request` with every fault.
   */
  apply(params: readonly Parameter[]): Parameter[] {
    try {
      return this.#apply(params);
    } catch (thrown) {
      if (thrown instanceof RangeError) throw tooDeep('a value');
      throw thrown;
    }
  }

  #apply(params: readonly Parameter[]): Parameter[] {
    const texts = new Map(params.map(({ name, value }) => [name, value]));
    const given = this.#read(texts);
    const { values, errors } = this.#check(given);
    if (errors.length > 0) {
      const faults = describeFaults(errors.slice(0, maxErrors), this.#names);
      throw new AppError('bad_request', `parameter validation failed: ${faults}`);
    }
    const known = Array.from(given, ([name, reading]) => ({ name, value: textAfter(reading, values[name]) }));
    const filled = Object.keys(values).filter((name) => !texts.has(name));
    return [...known, ...filled.map((name) => ({ name, value: textOfJson(values[name]) }))];
  }

  /** Which value each text stands for: the text itself where the schema takes that, else what it can be read as. */
  #read(texts: ReadonlyMap<string, string>): Map<string, Reading> {
    const asTexts = new Map(Array.from(texts, ([name, text]) => [name, { text, value: () => text }]));
    const refused = this.#check(asTexts);
    const alternatives = new Map<string, Reading>();
    for (const name of new Set(refused.errors.map(nameOf))) {
      const text = texts.get(name);
      const reading = text === undefined ? undefined : readAs(text);
      if (reading === undefined) continue;
      if (isDeeperThan(maxDepth, reading.value())) throw tooDeep(`"${name}"`);
      alternatives.set(name, reading);
    }
    if (alternatives.size === 0) return asTexts;
    const { errors } = this.#check(new Map([...asTexts, ...alternatives]));
    const [before, after] = [countWrongTypes(refused.errors), countWrongTypes(errors)];
    // Else the schema asks for a text, only for a different one.
    const chosen = [...alternatives].filter(([name]) => (after.get(name) ?? 0) <= (before.get(name) ?? 0));
    return new Map([...asTexts, ...chosen]);
  }

  #check(readings: ReadonlyMap<string, Reading>): {
    values: Record<string, unknown>;
    errors: readonly ErrorObject[];
  } {
    // New values each time, since Ajv fills in defaults; own properties, whatever the parameters are called.
    const values = Object.fromEntries(Array.from(readings, ([name, { value }]) => [name, value()]));
    const errors = this.#validate(values) ? [] : [...(this.#validate.errors ?? [])];
    return { values, errors };
  }
}

/** Names of the parameters that a schema lists, in its order. */
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

/** As given, unless the schema has filled something into it. */
function textAfter({ text, value }: Reading, after: unknown): string {
  if (typeof after !== 'object' || after === null) return text;
  const written = JSON.stringify(after);
  return written === JSON.stringify(value()) ? text : written;
}

/** How often the values of parameters, not parts of them, are of a type that a schema does not ask for. */
function countWrongTypes(errors: readonly ErrorObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const error of errors) {
    const isWhole = error.instancePath.lastIndexOf('/') === 0;
    if (error.keyword === 'type' && isWhole) counts.set(nameOf(error), (counts.get(nameOf(error)) ?? 0) + 1);
  }
  return counts;
}

/** The parameter that an error is about; empty for all of them together. */
function nameOf({ instancePath }: ErrorObject): string {
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

/** JSON Schema's patterns are JavaScript's, which may take for ever; those of RE2 do not. */
const patternEngine = Object.assign((pattern: string) => compilePattern(pattern), { code: 'compilePattern' });

/** Ajv is large, and few workflows need it. */
async function compile(schema: JsonObject, name: string): Promise<ValidateFunction> {
  // With `$async` the check would be a promise, which is never false.
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
      // For the values in messages.
      verbose: true,
      ownProperties: true,
      strict: false,
      validateFormats: false,
      logger: false,
      code: { regExp: patternEngine },
    }).compile(rest);
  } catch (thrown) {
    const reason = messageOf(thrown);
    const cure = reason.startsWith("can't resolve reference")
      ? '. References must stay within the schema'
      : '';
    throw brokenSchema(name, `${reason.slice(0, 500)}${cure}`);
  }
}

function brokenSchema(name: string, reason: string): AppError {
  return new AppError('invalid_spec', `Invalid JSON Schema for parameters${name}: ${reason}`);
}
