import type { TObject } from 'typebox';
import type { JsonObject } from '../base/json.ts';
import { listPathFields, getPrefix, sendsInputInQuery, streamEvents } from './transport.ts';
import {
  toExamples,
  toErrorResponses,
  toResponses,
  toNamedSchemas,
  toSchemaObject,
  refTo,
} from './openapi-schemas.ts';
import type { Operation, StreamOperation } from './operation.ts';
import { operations, streams } from './operations.ts';
import { findInputFieldDescription } from './field-descriptions.ts';
import { getResource, resources } from './resources.ts';

/** Properties that differ between servers. */
export interface DescribedServer {
  /** Prefix of every path: empty, or for example `/flows`. */
  readonly basePath?: string | undefined;
  /** Name of the session cookie; absent if there is none. */
  readonly sessionCookie?: string | undefined;
}

/**
 * Builds the API as an OpenAPI 3.1 document, from the tables of operations, streams and error codes.
 * @param version version of the engine
 */
export function buildOpenApi(
  version: string,
  { basePath = '', sessionCookie = exampleCookie }: DescribedServer = {},
): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stepwright engine API',
      version,
      description:
        'The engine API over HTTP. Errors are `{code, message, details?}`. ' +
        'Version 1, at `/api/v1` of servers without authentication, has been deprecated since 2026-01-01. ' +
        'No removal date has been announced. Use these operations instead.',
      contact: { name: 'Stepwright contributors', url: 'https://stepwright.invalid' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'This server' }],
    tags: resources.map(({ name, title, description }) => ({
      name,
      description: `${title}: ${description}`,
    })),
    // Any one of them is sufficient; a server without authentication requires none.
    security: [{ bearer: [] }, { basic: [] }, { cookie: [] }, {}],
    paths: buildPaths(),
    components: {
      schemas: toNamedSchemas(),
      responses: toResponses(sources),
      examples: toExamples(sources),
      securitySchemes: toSecuritySchemes(sessionCookie),
    },
  };
}

const sources = [...Object.values<Operation>(operations), ...Object.values(streams)];

/** Example of a cookie name; each home has its own. */
const exampleCookie = 'stepwright_01234567';

const toSecuritySchemes = (sessionCookie: string): JsonObject => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token, the token of a login session, or an OpenID Connect token.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Username and password, if the server accepts them.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'The session cookie of a browser. The digits in the name are specific to the home: see the OpenAPI document of the server.',
  },
});

/** Returns the path in the document: complete from the root of the server, without a trailing slash. */
const documentPath = (mounted: Pick<Operation, 'path' | 'version'>): string =>
  (getPrefix(mounted) + mounted.path).replace(/\/$/, '');

function buildPaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const add = (path: string, method: string, description: JsonObject): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: description };
  };
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    add(documentPath(operation), operation.method, toOperationObject(name, operation));
  }
  for (const [name, stream] of Object.entries(streams))
    add(documentPath(stream), 'GET', toStreamObject(name, stream));
  add(documentPath({ path: wholeFilePath }), 'GET', toFileObject(operations['runs.artifactBytes']));
  return paths;
}

function toOperationObject(name: string, operation: Operation): JsonObject {
  return {
    ...toObjectHead(name, operation),
    ...(operation.public ? { security: [] } : {}),
    ...toInputObject({ name, ...operation }),
    responses: {
      [operation.status ?? 200]: {
        description: operation.status === 201 ? 'Created.' : 'Done.',
        content: { 'application/json': { schema: toSchemaObject(operation.output, name) } },
      },
      ...toErrorResponses(operation),
    },
  };
}

function toStreamObject(name: string, stream: StreamOperation): JsonObject {
  const input = toInputObject({ ...stream, name, method: 'GET' });
  const resume = 'after' in stream.input.properties ? [lastEventIdParameter] : [];
  const item = toSchemaObject(stream.item, name);
  return {
    ...toObjectHead(name, stream),
    description:
      `${formatCaller(stream)} Server-sent events. \`${streamEvents.item}\` carries an item. \`${streamEvents.end}\` or ` +
      `\`${streamEvents.error}\` (an error body) is the last event.`,
    parameters: [...((input.parameters ?? []) as JsonObject[]), ...resume],
    responses: {
      200: {
        description: 'The stream. It stays open until the client or the server closes it.',
        content: {
          // No `schema`: before OpenAPI 3.2, some clients interpret it as the whole body, and others as one event.
          'text/event-stream': {
            'x-event-data': {
              [streamEvents.item]: item,
              [streamEvents.end]: { type: 'object' },
              [streamEvents.error]: refTo('ErrorBody'),
            },
          },
        },
      },
      ...toErrorResponses(stream),
    },
  };
}

/** Returns an artifact as it is: the only response that is neither JSON nor a stream of events. */
const wholeFilePath = '/dag-runs/{name}/{dagRunId}/artifacts/{artifact}';

/** @param artifactOperation the operation that reads the artifact, whose permissions and errors apply */
function toFileObject(artifactOperation: Operation): JsonObject {
  const source = { name: 'runs.artifactBytes', ...artifactOperation };
  const file = {
    description: 'The file, or the requested range of the file.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  };
  return {
    ...toObjectHead('runs.artifactFile', {
      ...artifactOperation,
      summary: 'Download an artifact of a run',
    }),
    description:
      `${formatCaller(artifactOperation)} ` +
      'Slashes in the artifact name are not encoded. Supports `HEAD` and `If-None-Match`.',
    parameters: [
      ...listPathFields(wholeFilePath).map((field) => toParameterObject(source, field, 'path')),
      ...['Range', 'If-Range'].map((name) => ({
        name,
        in: 'header',
        description: 'As in RFC 9110. Only a single range is supported.',
        schema: { type: 'string' },
      })),
    ],
    responses: {
      200: file,
      206: file,
      304: { description: 'Not modified.' },
      416: {
        description: 'The range is beyond the end of the file.',
        content: { 'application/json': { schema: refTo('ErrorBody') } },
      },
      ...toErrorResponses(artifactOperation),
    },
  };
}

const lastEventIdParameter: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Resume after this event. Overrides `after`.',
  schema: { type: 'string' },
};

function toObjectHead(name: string, source: Pick<Operation, 'summary' | 'role' | 'public'>): JsonObject {
  const { summary, role } = source;
  return {
    operationId: name,
    tags: [getResource(name)],
    summary,
    description: formatCaller(source),
    'x-role': role,
  };
}

const formatCaller = ({ role, public: isPublic }: Pick<Operation, 'role' | 'public'>): string =>
  isPublic ? 'No authentication required.' : `Requires the \`${role}\` role.`;

/** Where the fields of an input are sent. */
interface InputSource {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly input: TObject;
}

function toInputObject(source: InputSource): JsonObject {
  const pathFields = listPathFields(source.path);
  const otherFields = Object.keys(source.input.properties).filter((field) => !pathFields.includes(field));
  const parameters = pathFields.map((field) => toParameterObject(source, field, 'path'));
  if (!sendsInputInQuery(source.method)) {
    const body: JsonObject =
      otherFields.length === 0 ? {} : { requestBody: toRequestBody(source, otherFields) };
    return parameters.length === 0 ? body : { parameters, ...body };
  }
  return {
    parameters: [...parameters, ...otherFields.map((field) => toParameterObject(source, field, 'query'))],
  };
}

/** Several values of one query parameter are separated by commas. */
function toParameterObject(source: InputSource, field: string, location: 'path' | 'query'): JsonObject {
  const { schema, description } = toField(source, field);
  const style: JsonObject = schema.type === 'array' ? { style: 'form', explode: false } : {};
  const required = location === 'path' || isRequired(source.input, field);
  return { name: field, in: location, description, required, ...style, schema };
}

function toRequestBody(source: InputSource, fields: readonly string[]): JsonObject {
  const required = fields.filter((field) => isRequired(source.input, field));
  const properties = Object.fromEntries(
    fields.map((field) => {
      const { schema, description } = toField(source, field);
      return [field, { ...schema, description }];
    }),
  );
  const schema: JsonObject = {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
    additionalProperties: false,
  };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function toField(
  { name, input }: InputSource,
  field: string,
): { readonly schema: JsonObject; readonly description: string } {
  const schema = input.properties[field]!;
  return {
    schema: toSchemaObject(schema, field),
    description: findInputFieldDescription(name, field, schema) ?? '',
  };
}

function isRequired(input: TObject, field: string): boolean {
  const required: readonly string[] = input.required;
  return required?.includes(field) ?? false;
}
