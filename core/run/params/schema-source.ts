import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { readSource } from '../../spec/read-source.ts';
import { toValue } from '../../spec/source.ts';
import { isJsonObject } from '../../spec/expand.ts';
import { getFileKind, readTextFile, UnreadableTextError, decodeText } from '../values/read-text-file.ts';
import { resolveFolder } from '../values/working-dir.ts';

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
