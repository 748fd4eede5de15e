import { estimatePatternSize } from '../../base/pattern-automaton.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Parameter } from '../../model/workflow.ts';
import { DeadlineThreads, perClock } from '../../process/threads/deadline-threads.ts';
import { isPositional } from '../values/resolve-values.ts';
import { namesIn, SchemaCheck, type NamedSchema } from './schema-check.ts';
import { readSchemaSource, type SchemaPaths } from './schema-source.ts';

/**
 * Keywords whose cost is not bounded by the size of a schema: references can form cycles, and equality checks are
 * quadratic.
 */
const unboundedKeywords: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'uniqueItems',
]);

/** Above this cost, compiling a schema takes long. */
const maxCost = 1_000;

/**
 * Returns an upper bound of the validation steps per character of the values: without references no part of a schema
 * visits a part of a value twice. Infinity when there is no bound, or the schema is large.
 */
export function estimateSchemaCost(schema: unknown): number {
  const open: unknown[] = [schema];
  let cost = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    cost += 1;
    if (cost > maxCost) return Infinity;
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      open.push(...(node as unknown[]).slice(0, maxCost + 1));
      continue;
    }
    for (const [key, value] of Object.entries(node)) {
      if (unboundedKeywords.has(key)) return Infinity;
      cost += 1 + estimatePatternCost(key, value);
      open.push(value);
    }
  }
  return cost;
}

function estimatePatternCost(key: string, value: unknown): number {
  if (key === 'pattern' && typeof value === 'string') return estimatePatternSize(value);
  if (key !== 'patternProperties' || typeof value !== 'object' || value === null) return 0;
  return Object.keys(value).reduce((sum, pattern) => sum + estimatePatternSize(pattern), 0);
}

/** A parameter schema as a workflow gives it, and where to look for it. */
export interface ParamSchemaSource {
  /** Path, URL, or the schema itself. */
  readonly schema: string | Readonly<Record<string, unknown>>;
  readonly paths: SchemaPaths;
  readonly clock: Clock;
}

/** A schema, and the parameters to validate against it; without parameters the schema is only compiled. */
export interface SchemaRequest extends NamedSchema {
  readonly params?: readonly Parameter[];
}

/**
 * Validation steps (cost of the schema × characters of the values) allowed on the calling thread: a few milliseconds.
 */
const maxStepsHere = 50_000;

const threadsByClock = perClock(
  (clock) =>
    new DeadlineThreads<SchemaRequest, Parameter[] | undefined>({
      task: 'Parameter validation',
      remedy: 'Simplify the schema, especially nested references and repetitions, or use smaller values.',
      program: programUrl(),
      clock,
      timeoutMs: 2_000,
      heapLimitMb: 256,
      size: 2,
      // Each request is a run that waits to be started.
      maxWaiting: 10_000,
    }),
);

/**
 * A JSON Schema for the parameters of a workflow: 2020-12, or draft 7 if its `$schema` specifies that. References stay within
 * the schema; `format` is not checked; patterns use RE2 syntax. Validation that may take long runs in a thread, limited
 * to 2 seconds.
 */
export class ParamSchema {
  readonly #schema: NamedSchema;
  readonly #clock: Clock;
  readonly #names: readonly string[];
  readonly #cost: number;
  /** For schemas whose cost has a known bound. */
  readonly #check: SchemaCheck | undefined;

  private constructor(schema: NamedSchema, clock: Clock, cost: number, check: SchemaCheck | undefined) {
    this.#schema = schema;
    this.#clock = clock;
    this.#names = namesIn(schema.schema);
    this.#cost = cost;
    this.#check = check;
  }

  /**
   * Reads and compiles a schema.
   * @throws `invalid_spec` for a schema that is missing, unreadable or invalid, `bad_request` when it takes too long
   */
  static async open({ schema, paths, clock }: ParamSchemaSource): Promise<ParamSchema> {
    const isReference = typeof schema === 'string';
    const value = isReference ? await readSchemaSource(schema, paths, clock) : (schema as JsonObject);
    const named: NamedSchema = { schema: value, name: isReference ? ` "${schema}"` : '' };
    const cost = estimateSchemaCost(value);
    if (cost < Infinity) return new ParamSchema(named, clock, cost, await SchemaCheck.compile(named));
    await threadsByClock(clock).run(named);
    return new ParamSchema(named, clock, cost, undefined);
  }

  /**
   * Gives positional parameters the names of the schema's `properties` in their order, unless a property has the number
   * as its name: this is what `engine start x -- a b` means for a workflow with named parameters. Call it with the
   * caller's parameters, before they are merged over the workflow's defaults. A positional value whose property is also
   * given by name stays positional, so that it overwrites nothing. Of duplicate names, the last counts.
   */
  nameByPosition(input: readonly Parameter[]): Parameter[] {
    const byName = new Set(input.map(({ name }) => name));
    const named = new Map<string, string>();
    for (const { name, value } of input) {
      const position = isPositional(name) && !this.#names.includes(name) ? Number(name) - 1 : -1;
      const property = this.#names[position];
      named.set(property === undefined || byName.has(property) ? name : property, value);
    }
    return Array.from(named, ([name, value]) => ({ name, value }));
  }

  /**
   * Validates parameters and fills in the defaults of the schema, as {@link SchemaCheck.apply} does.
   * @throws `bad_request` with all errors, or when it takes too long
   */
  async apply(params: readonly Parameter[]): Promise<Parameter[]> {
    const characters = params.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    if (this.#check !== undefined && this.#cost * characters <= maxStepsHere)
      return this.#check.apply(params);
    return (await threadsByClock(this.#clock).run({ ...this.#schema, params }))!;
  }
}

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const programUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./schema-thread.ts', import.meta.url)
    : new URL('../param-schema/thread.cjs', import.meta.url);
