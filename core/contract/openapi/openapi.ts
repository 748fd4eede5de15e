import type { TObject } from 'typebox';
import { errorCodes, type ErrorCode } from '../../base/error-codes.ts';
import type { JsonObject } from '../../base/json.ts';
import { apiPrefix, listPathFields, sendsInputInQuery, streamEvents } from '../transport/http-wire.ts';
import { describeNamedSchemas, describeSchema, refer } from './openapi-schemas.ts';
import type { Operation, StreamOperation } from '../operation.ts';
import { operations, streams } from '../operations.ts';

/**
 * The API as an OpenAPI 3.1 document, from the tables of operations, streams and error codes.
 * @param version release of the engine
 */
export function buildOpenApi(version: string): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stepwright engine API',
      version,
      description:
        'Everything the window can ask of the engine, over HTTP. Refusals are `{code, message, details?}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiPrefix }],
    paths: buildPaths(),
    components: { schemas: describeNamedSchemas() },
  };
}

function buildPaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const add = (path: string, method: string, description: JsonObject): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: description };
  };
  for (const [name, operation] of Object.entries(operations)) {
    add(operation.path, operation.method, describeOperation(name, operation));
  }
  for (const [name, stream] of Object.entries(streams)) add(stream.path, 'GET', describeStream(name, stream));
  return paths;
}

function describeOperation(name: string, operation: Operation): JsonObject {
  return {
    ...describeHead(name, operation),
    ...describeInput(operation.method, operation.path, operation.input),
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: describeSchema(operation.output) } },
      },
      ...describeRefusals(operation.errors),
    },
  };
}

function describeStream(name: string, stream: StreamOperation): JsonObject {
  const input = describeInput('GET', stream.path, stream.input);
  const resume = 'after' in stream.input.properties ? [lastEventIdParameter] : [];
  const item = describeSchema(stream.item);
  return {
    ...describeHead(name, stream),
    description:
      `Server-sent events. \`${streamEvents.item}\` carries an item; \`${streamEvents.end}\` and ` +
      `\`${streamEvents.error}\` (an error body) are the last event.`,
    parameters: [...((input.parameters ?? []) as JsonObject[]), ...resume],
    responses: {
      200: {
        description: 'The stream; it goes on until one side leaves.',
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            'x-event-data': {
              [streamEvents.item]: item,
              [streamEvents.end]: { type: 'object' },
              [streamEvents.error]: refer('ErrorBody'),
            },
          },
        },
      },
      ...describeRefusals(stream.errors),
    },
  };
}

const lastEventIdParameter: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Begin after this event; wins over `after`.',
  schema: { type: 'string' },
};

function describeHead(name: string, { summary, role }: Pick<Operation, 'summary' | 'role'>): JsonObject {
  return { operationId: name, tags: [name.split('.')[0]!], summary, 'x-required-role': role };
}

function describeInput(method: string, path: string, input: TObject): JsonObject {
  const pathFields = listPathFields(path);
  const otherFields = Object.keys(input.properties).filter((field) => !pathFields.includes(field));
  const parameters = pathFields.map((field) => describeParameter(input, field, 'path'));
  if (!sendsInputInQuery(method)) {
    const body: JsonObject =
      otherFields.length === 0 ? {} : { requestBody: describeBody(input, otherFields) };
    return parameters.length === 0 ? body : { parameters, ...body };
  }
  return {
    parameters: [...parameters, ...otherFields.map((field) => describeParameter(input, field, 'query'))],
  };
}

/** Several values of one query parameter are separated by commas. */
function describeParameter(input: TObject, field: string, place: 'path' | 'query'): JsonObject {
  const schema = describeSchema(input.properties[field]!);
  const style: JsonObject = schema.type === 'array' ? { style: 'form', explode: false } : {};
  return { name: field, in: place, required: place === 'path' || isRequired(input, field), ...style, schema };
}

function describeBody(input: TObject, fields: readonly string[]): JsonObject {
  const required = fields.filter((field) => isRequired(input, field));
  const properties = Object.fromEntries(
    fields.map((field) => [field, describeSchema(input.properties[field]!)]),
  );
  const schema: JsonObject = { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function isRequired(input: TObject, field: string): boolean {
  const required: readonly string[] = input.required;
  return required?.includes(field) ?? false;
}

/** One entry for each HTTP status; several codes may share one. */
function describeRefusals(expected: readonly ErrorCode[]): JsonObject {
  const always: readonly ErrorCode[] = ['bad_request', 'forbidden', 'internal_error', 'unavailable'];
  const byStatus: Record<string, JsonObject> = {};
  for (const status of new Set([...always, ...expected].map((code) => errorCodes[code].http))) {
    const codes = [...new Set([...always, ...expected])].filter((code) => errorCodes[code].http === status);
    byStatus[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' '),
      content: { 'application/json': { schema: refer('ErrorBody') } },
    };
  }
  return byStatus;
}
