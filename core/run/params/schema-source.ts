import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { readSource } from '../../spec/read-source.ts';
import { toValue } from '../../spec/source/source-node.ts';
import { fetchText } from './fetch-text.ts';
import { isJsonObject } from '../../spec/expand/exact-json.ts';
import { kindOfFile, readTextFile, UnreadableTextError } from '../values/read-text-file.ts';
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

const maxBytes = 1024 * 1024;

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
    const text = isAddress ? await fetchText(reference, maxBytes, clock) : readTextFile(name, maxBytes);
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
    return kindOfFile(file) !== 'missing';
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
