import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';
import { DeadlineThreads, perClock } from '../../threads/deadline-threads.ts';
import { isPositional } from '../values/resolve-values.ts';
import { namesIn, SchemaCheck, type NamedSchema } from './schema-check.ts';
import { costOfSchema } from './schema-cost.ts';
import { readSchemaSource, type SchemaPlaces } from './schema-source.ts';

/** A schema for parameters, as a workflow gives it, and where to look for it. */
export interface ParamSchemaSource {
  /** Path or address, or the schema itself. */
  readonly schema: string | Readonly<Record<string, unknown>>;
  readonly places: SchemaPlaces;
  readonly clock: Clock;
}

/** A schema, and the parameters to be checked with it; without them it is compiled alone. */
export interface SchemaRequest extends NamedSchema {
  readonly params?: readonly Parameter[];
}

/** Steps of a check (cost of the schema × characters of the values) done on the calling thread: a few milliseconds. */
const maxStepsHere = 50_000;

const threadsOf = perClock(
  (clock) =>
    new DeadlineThreads<SchemaRequest, Parameter[] | undefined>({
      task: 'Parameter validation',
      remedy: 'Simplify the schema, especially nested references and repetitions, or use smaller values.',
      program: placeProgram(),
      clock,
      timeoutMs: 2_000,
      heapLimitMb: 256,
      size: 2,
      // Each is a run that waits to be started.
      maxWaiting: 10_000,
    }),
);

/**
 * A JSON Schema for the parameters of a workflow: 2020-12, or draft 7 where its `$schema` says so. References lead within
 * the schema; `format` is not checked; patterns are in RE2 syntax. Where a check may take long, it is done in a thread,
 * within 2 seconds.
 */
export class ParamSchema {
  readonly #schema: NamedSchema;
  readonly #clock: Clock;
  readonly #names: readonly string[];
  readonly #cost: number;
  /** For schemas of which a bound of the cost is known. */
  readonly #check: SchemaCheck | undefined;

  private constructor(schema: NamedSchema, clock: Clock, cost: number, check: SchemaCheck | undefined) {
    this.#schema = schema;
    this.#clock = clock;
    this.#names = namesIn(schema.schema);
    this.#cost = cost;
    this.#check = check;
  }

  /**
   * Reads and compiles a schema. Rejects with `invalid_spec` for one that is not found, not readable or no schema, with
   * `bad_request` for one that takes too long.
   */
  static async open({ schema, places, clock }: ParamSchemaSource): Promise<ParamSchema> {
    const isReference = typeof schema === 'string';
    const value = isReference ? await readSchemaSource(schema, places, clock) : (schema as JsonObject);
    const named: NamedSchema = { schema: value, name: isReference ? ` "${schema}"` : '' };
    const cost = costOfSchema(value);
    if (cost < Infinity) return new ParamSchema(named, clock, cost, await SchemaCheck.compile(named));
    await threadsOf(clock).run(named);
    return new ParamSchema(named, clock, cost, undefined);
  }

  /**
   * Gives positional parameters the names of the schema's `properties` in their order, unless it has one with the
   * number as its name: what `engine start x -- a b` means where parameters have names. To be asked about what a
   * caller gives, before that is put over the defaults of the workflow. A positional value whose property is also
   * given by name stays positional, so that it overwrites nothing. Of two with the same name, the later counts.
   */
  nameByPlace(given: readonly Parameter[]): Parameter[] {
    const byName = new Set(given.map(({ name }) => name));
    const named = new Map<string, string>();
    for (const { name, value } of given) {
      const place = isPositional(name) && !this.#names.includes(name) ? Number(name) - 1 : -1;
      const property = this.#names[place];
      named.set(property === undefined || byName.has(property) ? name : property, value);
    }
    return Array.from(named, ([name, value]) => ({ name, value }));
  }

  /**
   * Checks parameters and fills in the defaults of the schema, as {@link SchemaCheck.apply} does.
   * Rejects with `bad_request` with every fault, or when it takes too long.
   */
  async apply(params: readonly Parameter[]): Promise<Parameter[]> {
    const characters = params.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    if (this.#check !== undefined && this.#cost * characters <= maxStepsHere)
      return this.#check.apply(params);
    return (await threadsOf(this.#clock).run({ ...this.#schema, params }))!;
  }
}

/** As a source file, or as built for the folder beside the one of the engine's bundle. */
const placeProgram = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./schema-thread.ts', import.meta.url)
    : new URL('../param-schema/thread.cjs', import.meta.url);
