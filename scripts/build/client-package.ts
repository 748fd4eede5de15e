import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema, TObject } from 'typebox';
import type { InlineConfig } from 'vite';
import { errorCodes } from '../../core/base/error-codes.ts';
import { listSharedSchemas, findSchemaName } from '../../core/contract/openapi-schemas.ts';
import { operations, streams } from '../../core/contract/operations.ts';
import { findInputFieldDescription } from '../../core/contract/field-descriptions.ts';
import { routeTable } from './bundle-plugins.ts';

/** The parts of a JSON Schema that determine a type. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

/** Information that is not in the schema itself. */
export interface TypeNames {
  /** Returns the name of a schema's type, if it has one. */
  getName(schema: TSchema): string | undefined;
  /** Returns the description of a top-level field, or else that of its schema. */
  getMeaning?(field: string, schema: TSchema): string | undefined;
}

/** Formats a JSON Schema as a TypeScript type on one line, with comments for described fields. */
function formatType(schema: TSchema, names: TypeNames): string {
  return names.getName(schema) ?? formatUnnamed(schema, names);
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function formatUnnamed(schema: Schema, names: TypeNames): string {
  const inner = (each: Schema): string => formatType(each, { getName: names.getName });
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(inner).join(' | ');
  if (schema.type === 'array') return formatList(schema.items ? inner(schema.items) : 'unknown');
  if (schema.type === 'object') return formatObject(schema, names);
  return simpleTypes[schema.type ?? ''] ?? 'unknown';
}

const formatList = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

function formatObject(schema: Schema, names: TypeNames): string {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const [values] = Object.values(patternProperties ?? {});
  if (values) return `Record<string, ${formatType(values, { getName: names.getName })}>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const meaning = findDescription(name, field, names);
    const comment = meaning === undefined ? '' : `/** ${meaning} */ `;
    const isOptional = !required.includes(name);
    const type = formatType(field, { getName: names.getName });
    return `${comment}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}`;
  });
  const open = additionalProperties === true ? ['[field: string]: unknown'] : [];
  return `{ ${[...fields, ...open].join('; ')} }`;
}

const findDescription = (name: string, schema: TSchema, names: TypeNames): string | undefined =>
  names.getMeaning
    ? names.getMeaning(name, schema)
    : (schema as { readonly description?: string }).description;

/**
 * Builds `index.d.ts` of the client package: the types of every operation and stream, expanded, so that a
 * script needs neither the sources nor the schema library.
 */
const buildClientTypes = (): string =>
  [
    introduction,
    `/** Error codes; see docs/errors.md. */\nexport type ErrorCode = ${union(Object.keys(errorCodes))};`,
    listSharedSchemas()
      .map(({ name, schema }) => formatShape(name, schema))
      .join('\n\n'),
    `/** Input and output of every operation. */\nexport interface Operations {\n${formatOperations()}\n}`,
    `/** Input and items of every stream. */\nexport interface Streams {\n${formatStreams()}\n}`,
    interfaces,
  ].join('\n\n');

const union = (args: readonly string[]): string => args.map((word) => `'${word}'`).join(' | ');

const formatShape = (name: string, schema: TSchema): string =>
  `export type ${name} = ${formatType(schema, { getName: (inner) => (inner === schema ? undefined : findSchemaName(inner)) })};`;

const formatOperations = (): string =>
  Object.entries(operations)
    .map(([name, { summary, method, path, input, output }]) =>
      formatMember(name, `${summary}. \`${method} ${path}\``, [
        `input: ${formatInput(name, input)};`,
        `output: ${formatType(output, { getName: findSchemaName })};`,
      ]),
    )
    .join('\n');

const formatStreams = (): string =>
  Object.entries(streams)
    .map(([name, { summary, path, input, item }]) =>
      formatMember(name, `${summary}. \`GET ${path}\``, [
        `input: ${formatInput(name, input)};`,
        `item: ${formatType(item, { getName: findSchemaName })};`,
      ]),
    )
    .join('\n');

const formatMember = (name: string, comment: string, lines: readonly string[]): string =>
  `  /** ${comment} */\n  '${name}': {\n${lines.map((line) => `    ${line}`).join('\n')}\n  };`;

const formatInput = (operation: string, input: TObject): string =>
  formatType(input, {
    getName: findSchemaName,
    getMeaning: (field, schema) => findInputFieldDescription(operation, field, schema),
  });

const introduction = `/**
 * Client of a Stepwright engine: docs/client.md. Requires \`fetch\`: Node 20 or later, or a browser.
 */`;

const interfaces = `export type OperationName = keyof Operations;
export type StreamName = keyof Streams;

/** An error of the engine, or \`unavailable\` when it was not reached. */
export declare class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
}

/** An error as plain data. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

export interface ClientSettings {
  /** Server URL with its base path, such as \`http://127.0.0.1:8080\`. */
  readonly url: string;
  /** Session token or API token, sent as \`Authorization: Bearer\`. */
  readonly token?: string | undefined;
  /** Replaces the global \`fetch\`, for a proxy, an agent or a test. */
  readonly fetch?: typeof fetch | undefined;
}

/** Callbacks of a followed stream; lost connections are reconnected. */
export interface FollowObserver<Item> {
  item(item: Item): void;
  /** Called once at the end of the stream, with the error, if any. */
  end(error?: ErrorBody): void;
  /** Called when the stream is connected or reconnected. */
  open?(): void;
  /** Called for each failed connection attempt, with the reason; a retry follows. */
  lost?(reason: ErrorBody): void;
  /** Called after each item; reading continues when the returned promise resolves. */
  drained?(): Promise<void> | undefined;
}

export interface Client {
  /** Base URL of the API, such as \`http://127.0.0.1:8080/api/v2\`. */
  readonly api: string;
  /** Rejects with an \`AppError\`. */
  call<Name extends OperationName>(
    name: Name,
    input: Operations[Name]['input'],
    options?: { readonly signal?: AbortSignal },
  ): Promise<Operations[Name]['output']>;
  /** Follows a stream until the returned function is called; lost connections resume at the same position. */
  follow<Name extends StreamName>(
    name: Name,
    input: Streams[Name]['input'],
    observer: FollowObserver<Streams[Name]['item']>,
  ): () => void;
  /** Ends all streams and calls; pending calls reject with \`unavailable\`. */
  close(): void;
}

/** A client of the engine at \`url\`. Throws \`bad_request\` for an invalid http or https URL. */
export declare function createClient(settings: ClientSettings): Client;
`;

const ROOT = join(import.meta.dirname, '../..');

/** The client that scripts import as `stepwright/client`: one module without imports, for Node and browsers. */
export const clientBuild: InlineConfig = {
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  publicDir: false,
  plugins: [routeTable()],
  build: {
    outDir: 'out/client',
    emptyOutDir: true,
    target: 'es2023',
    minify: false,
    sourcemap: false,
    lib: { entry: join(ROOT, 'core/contract/client/index.ts'), formats: ['es'], fileName: () => 'index.js' },
  },
};

/** Writes its types next to it. */
export const writeClientTypes = (): void =>
  writeFileSync(join(ROOT, 'out/client/index.d.ts'), buildClientTypes());
