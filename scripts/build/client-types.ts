import type { TObject, TSchema } from 'typebox';
import { errorCodes } from '../../core/base/error-codes.ts';
import { describeShapes, findShapeName } from '../../core/contract/openapi/openapi-schemas.ts';
import { operations, streams } from '../../core/contract/operations.ts';
import { findInputFieldDescription } from '../../core/contract/reference/field-meanings.ts';
import { formatType } from './format-type.ts';

/**
 * Builds `index.d.ts` of the client package: the types of every operation and stream, expanded, so that a
 * script needs neither the sources nor the schema library.
 */
export const buildClientTypes = (): string =>
  [
    introduction,
    `/** Error codes; see docs/errors.md. */\nexport type ErrorCode = ${union(Object.keys(errorCodes))};`,
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
    meaningOf: (field, schema) => findInputFieldDescription(operation, field, schema),
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
