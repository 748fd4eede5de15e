import type { TObject, TSchema } from 'typebox';
import { errorCodes } from '../../core/base/error-codes.ts';
import { describeShapes, findShapeName } from '../../core/contract/openapi/openapi-schemas.ts';
import { operations, streams } from '../../core/contract/operations.ts';
import { findMeaning } from '../../core/contract/reference/field-meanings.ts';
import { formatType } from './format-type.ts';

/**
 * Builds `index.d.ts` of the client package: the types of every operation and stream, expanded, so that a
 * script needs neither the sources nor the schema library.
 */
export const buildClientTypes = (): string =>
  [
    introduction,
    `/** Why something was refused; docs/errors.md has a sentence for each. */\nexport type ErrorCode = ${union(Object.keys(errorCodes))};`,
    describeShapes()
      .map(({ name, schema }) => formatShape(name, schema))
      .join('\n\n'),
    `/** Input and output of every operation. */\nexport interface Operations {\n${formatOperations()}\n}`,
    `/** Input and items of every stream. */\nexport interface Streams {\n${formatStreams()}\n}`,
    interfaces,
  ].join('\n\n');

const union = (args: readonly string[]): string => args.map((word) => `'${word}'`).join(' | ');

const formatShape = (name: string, schema: TSchema): string =>
  `export type ${name} = ${formatType(schema, { nameOf: (inner) => (inner === schema ? undefined : findShapeName(inner)) })};`;

const formatOperations = (): string =>
  Object.entries(operations)
    .map(([name, { summary, method, path, input, output }]) =>
      formatMember(name, `${summary}. \`${method} ${path}\``, [
        `input: ${formatInput(name, input)};`,
        `output: ${formatType(output, { nameOf: findShapeName })};`,
      ]),
    )
    .join('\n');

const formatStreams = (): string =>
  Object.entries(streams)
    .map(([name, { summary, path, input, item }]) =>
      formatMember(name, `${summary}. \`GET ${path}\``, [
        `input: ${formatInput(name, input)};`,
        `item: ${formatType(item, { nameOf: findShapeName })};`,
      ]),
    )
    .join('\n');

const formatMember = (name: string, comment: string, lines: readonly string[]): string =>
  `  /** ${comment} */\n  '${name}': {\n${lines.map((line) => `    ${line}`).join('\n')}\n  };`;

const formatInput = (operation: string, input: TObject): string =>
  formatType(input, {
    nameOf: findShapeName,
    meaningOf: (field, schema) => findMeaning(operation, field, schema),
  });

const introduction = `/**
 * Client of a Stepwright engine: docs/client.md. Works wherever there is \`fetch\`: Node 20 and later, browsers.
 */`;

const interfaces = `export type OperationName = keyof Operations;
export type StreamName = keyof Streams;

/** A refusal of the engine, or \`unavailable\` when it was not reached. */
export declare class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
}

/** The same as plain data. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

export interface ClientSettings {
  /** Address of the server with its base path, if it has one: \`http://127.0.0.1:8080\`. */
  readonly url: string;
  /** A session's or an API token; sent as \`Authorization: Bearer\`. */
  readonly token?: string | undefined;
  /** Instead of the global one: for a proxy, an agent or a test. */
  readonly fetch?: typeof fetch | undefined;
}

/** What the follower of a stream is told; the connection may come and go in between. */
export interface FollowObserver<Item> {
  item(item: Item): void;
  /** The stream is over; no call follows. Absent error: it has ended in order. */
  end(error?: ErrorBody): void;
  /** The stream is open, for the first time or again. */
  open?(): void;
  /** There is no connection, and why; it is tried again. Told for each failed try. */
  lost?(reason: ErrorBody): void;
  /** Called after each item: while its promise is open, nothing more is read from the connection. */
  drained?(): Promise<void> | undefined;
}

export interface Client {
  /** Where the API begins: \`http://127.0.0.1:8080/api/v2\`. */
  readonly api: string;
  /** Rejects with an \`AppError\`. */
  call<Name extends OperationName>(
    name: Name,
    input: Operations[Name]['input'],
    options?: { readonly signal?: AbortSignal },
  ): Promise<Operations[Name]['output']>;
  /** Follows a stream until the returned function is called; lost connections are opened again where they were. */
  follow<Name extends StreamName>(
    name: Name,
    input: Streams[Name]['input'],
    observer: FollowObserver<Streams[Name]['item']>,
  ): () => void;
  /** Ends all streams, and gives up calls under way: they reject with \`unavailable\`. */
  close(): void;
}

/** A client of the engine at \`url\`. Throws \`bad_request\` when that is no http or https address. */
export declare function createClient(settings: ClientSettings): Client;
`;
