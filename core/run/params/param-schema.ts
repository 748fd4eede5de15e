import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { readSource } from '../../spec/read-source.ts';
import { toValue } from '../../spec/source.ts';
import { isJsonObject } from '../../spec/expand.ts';
import { estimatePatternSize } from '../../base/pattern-automaton.ts';
import type { Parameter } from '../../model/workflow.ts';
import { DeadlineThreads, perClock } from '../../process/threads/deadline-threads.ts';
import {
  getFileKind,
  readTextFile,
  UnreadableTextError,
  decodeText,
  resolveFolder,
} from '../values/files.ts';
import { isPositional } from '../values/resolve-values.ts';
import { namesIn, SchemaCheck, type NamedSchema } from './schema-check.ts';

/** Directories in which a relative reference is looked for, in this order. */
export interface SchemaPaths {
  /** Current directory of the engine. */
  readonly processDir: string;
  /** Working directory of the run, when it is known already. */
  readonly workingDir: string | undefined;
  /** Directory of the workflow's file. */
  readonly fileDir: string;
}

const maxSchemaBytes = 1024 * 1024;

/**
 * Reads a JSON Schema that a workflow refers to: a YAML or JSON file by its path, or an `http` or `https` URL.
 * @throws `invalid_spec`, naming the reference and where it was looked for
 */
export async function readSchemaSource(
  reference: string,
  paths: SchemaPaths,
  clock: Clock,
): Promise<JsonObject> {
  const isAddress = /^https?:\/\//i.test(reference);
  const name = isAddress ? withoutCredentials(reference) : findFile(reference, paths);
  try {
    const text = isAddress
      ? await fetchText(reference, maxSchemaBytes, clock)
      : readTextFile(name, maxSchemaBytes);
    return parseSchema(text, name);
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    throw new AppError('invalid_spec', `Parameter schema ${name} ${error.message}, or fix "params.schema".`);
  }
}

function findFile(reference: string, { processDir, workingDir, fileDir }: SchemaPaths): string {
  const folders = [processDir, ...(workingDir === undefined ? [] : [workingDir]), fileDir];
  const files = [...new Set(folders.map((folder) => resolveFolder(reference, folder)))];
  const schemaFile = files.find(exists);
  if (schemaFile !== undefined) return schemaFile;
  throw new AppError(
    'invalid_spec',
    `Parameter schema "${reference}" not found. Searched: ${files.join(', ')}; add the file, or fix "params.schema".`,
  );
}

/**
 * Whether a file exists. A file whose status cannot be read counts as existing, because reading it reports the reason.
 */
function exists(file: string): boolean {
  try {
    return getFileKind(file) !== 'missing';
  } catch {
    return true;
  }
}

/** Parses as YAML, which includes JSON. */
function parseSchema(text: string, name: string): JsonObject {
  const { result, diagnostics } = readSource({ text, file: name }, (documents) => documents.map(toValue));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors[0] !== undefined) {
    const message = `The parameter schema is neither valid YAML nor JSON: ${formatDiagnostic(errors[0])}`;
    throw new AppError('invalid_spec', message, { details: { diagnostics: errors } });
  }
  const [schema, ...others]: JsonValue[] = result ?? [];
  if (isJsonObject(schema) && others.length === 0) return schema;
  throw new UnreadableTextError('is not a JSON Schema, which must be a map. Start with "type: object"');
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return JSON.stringify(address);
  const url = new URL(address);
  [url.username, url.password] = ['', ''];
  return url.href;
}

const maxMs = 10_000;
const maxRedirects = 5;

/**
 * Fetches the UTF-8 content of an `http` or `https` URL, within 10 seconds and `maxBytes`. A redirect may change the
 * host; it may change the scheme only from `http` to `https`. Rejects with `UnreadableTextError`, whose message is the
 * part after the URL.
 */
export async function fetchText(address: string, maxBytes: number, clock: Clock): Promise<string> {
  const controller = new AbortController();
  const dispose = clock.after(maxMs, () => controller.abort());
  try {
    const response = await follow(new URL(address), controller.signal);
    return decodeText(await readBody(response, maxBytes), maxBytes);
  } catch (error) {
    if (controller.signal.aborted)
      throw new UnreadableTextError(`did not respond within ${maxMs / 1000} seconds. Try again later`);
    if (error instanceof UnreadableTextError) throw error;
    throw new UnreadableTextError(`cannot be fetched: ${formatError(error)}. Check the URL and the network`);
  } finally {
    dispose();
    // Closes a connection whose response was not read to its end.
    controller.abort();
  }
}

async function follow(start: URL, signal: AbortSignal): Promise<Response> {
  let url = start;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (url.username !== '' || url.password !== '')
      throw new UnreadableTextError('contains credentials, which are not allowed. Remove them');
    const response = await fetch(url, { redirect: 'manual', signal });
    const location = response.headers.get('location');
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (!isRedirect && response.ok) return response;
    if (!isRedirect) throw new UnreadableTextError(`returned status ${response.status}. Check the URL`);
    url = new URL(location, url);
    if (!mayFollow(start, url))
      throw new UnreadableTextError(`redirects to ${url.protocol}//, which is not supported. Fix the URL`);
  }
  throw new UnreadableTextError(`redirects more than ${maxRedirects} times. Fix the URL`);
}

const mayFollow = (from: URL, to: URL): boolean =>
  to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');

/** Reads at most one chunk more than allowed, to detect that the body is too large. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    chunks.push(part);
    length += part.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Returns the cause of Node's "fetch failed". */
function formatError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}

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
