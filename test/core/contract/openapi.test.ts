import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../core/base/error-codes.ts';
import { buildOpenApi } from '../../../core/contract/openapi.ts';
import type { Operation } from '../../../core/contract/operation.ts';
import { operations, streams } from '../../../core/contract/operations.ts';
import { getPrefix } from '../../../core/contract/transport.ts';
import { generateFiles } from '../../../scripts/generate.ts';

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  'x-role': string;
  security?: unknown[];
  parameters?: { name: string; in: string; description: string; required: boolean; explode?: boolean }[];
  requestBody?: {
    content: {
      'application/json': {
        schema: { properties: Record<string, { description: string }>; required?: string[] };
      };
    };
  };
  responses: Record<string, Reply | { $ref: string }>;
}

interface Reply {
  description: string;
  content: Record<string, { examples?: Record<string, unknown> }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  tags: { name: string }[];
  security: unknown[];
  components: {
    schemas: Record<string, unknown>;
    responses: Record<string, Reply>;
    examples: Record<string, unknown>;
    securitySchemes: object;
  };
}

const document = buildOpenApi('1.2.3') as unknown as Document;
/** @param path of the tables, below `/api/v2` or the prefix of its version */
const find = (path: string, method: string, version?: 1): Described =>
  document.paths[(getPrefix({ version }) + path).replace(/\/$/, '')]![method.toLowerCase()]!;

/** The response of a status, inline or referenced. */
function findReply({ responses }: Described, status: number): Reply | undefined {
  const reply = responses[status];
  return reply && '$ref' in reply ? document.components.responses[reply.$ref.split('/').at(-1)!] : reply;
}

test('is a valid OpenAPI 3.1 document', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('the checked-in files are up to date with the sources; `npm run generate` updates them', () => {
  const expected = generateFiles();
  const present = Array.from(expected.keys(), (path) => {
    return [path, readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')] as const;
  });
  expect(new Map(present)).toEqual(expected);
});

test('offers whole files of runs, with ranges', () => {
  const file = find('/dag-runs/{name}/{dagRunId}/artifacts/{artifact}', 'get');
  expect(file['x-role']).toBe('viewer');
  expect(file.parameters!.map(({ name }) => name)).toEqual([
    'name',
    'dagRunId',
    'artifact',
    'Range',
    'If-Range',
  ]);
  expect(Object.keys(file.responses)).toEqual(expect.arrayContaining(['200', '206', '304', '404', '416']));
  expect(findReply(file, 206)!.content).toHaveProperty('application/octet-stream');
});

test('contains the server URL and its cookie name', () => {
  const cookie = expect.objectContaining({ in: 'cookie', name: 'stepwright_77' });
  expect(buildOpenApi('1', { basePath: '/flows', sessionCookie: 'stepwright_77' })).toMatchObject({
    servers: [{ url: '/flows' }],
    components: { securitySchemes: { cookie } },
  });
});

test.each(['schemas', 'responses', 'examples'] as const)(
  'every reference to %s resolves, and each of them is referenced',
  (kind) => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([\w.]+)"/g);
    const referred = new Set(references.filter(([, of]) => of === kind).map(([, , name]) => name!));
    expect([...referred].sort()).toEqual(Object.keys(document.components[kind]).sort());
  },
);

test('defines each error once, as a shared response', () => {
  const meanings = Object.values(document.components.responses).map((reply) => reply.description);
  expect(new Set(meanings).size).toBe(meanings.length);
  const described = [
    ...Object.values<Operation>(operations).map(({ path, method, version }) => find(path, method, version)),
    ...Object.values(streams).map(({ path }) => find(path, 'get')),
  ];
  const errors = described.flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => Number(status) >= 400),
  );
  expect(errors.filter(([, reply]) => !('$ref' in reply))).toEqual([]);
});

describe.each(Object.entries<Operation>(operations))('%s', (name, operation) => {
  const described = find(operation.path, operation.method, operation.version);

  test('is described under its method and path with all of its input', () => {
    expect(described.operationId).toBe(name);
    const body = described.requestBody?.content['application/json'].schema.properties ?? {};
    const fields = [...(described.parameters ?? []).map((parameter) => parameter.name), ...Object.keys(body)];
    expect(fields.sort()).toEqual(Object.keys(operation.input.properties).sort());
  });

  test('lists each error under its status, with an example', () => {
    for (const code of [...operation.errors, 'bad_request', 'internal_error'] as const) {
      const response = findReply(described, errorCodes[code].http);
      expect(response?.description).toContain(`\`${code}\``);
      expect(response?.content['application/json']?.examples).toHaveProperty(code);
    }
  });
});

describe.each([...Object.entries(operations), ...Object.entries(streams)])('%s', (_name, operation) => {
  const { path, method = 'GET', version }: Partial<Operation> & { path: string } = operation;
  const described = find(path, method, version);

  test('states who may call it, and belongs to a described group', () => {
    expect(described['x-role']).toBe(operation.role);
    expect(document.tags.map((tag) => tag.name)).toContain(described.tags[0]);
    expect(described.summary).toMatch(/^[A-Z]/);
    expect(described.summary).not.toMatch(/seed|peer|DESIGN|\.$/);
    if ('public' in operation && operation.public) expect(described.security).toEqual([]);
    else expect(findReply(described, 401)?.description).toContain('`unauthorized`');
  });

  // Add a `description` to the field's schema, or a line to core/contract/field-descriptions.ts.
  test('describes each of its fields', () => {
    const body = described.requestBody?.content['application/json'].schema.properties ?? {};
    const fields = [...(described.parameters ?? []), ...Object.values(body)];
    expect(fields.filter(({ description }) => description === '')).toEqual([]);
  });
});

test('accepts any of the authentication methods', () => {
  expect(document.security).toEqual([{ bearer: [] }, { basic: [] }, { cookie: [] }, {}]);
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'basic', 'cookie']);
});

test.each(Object.entries(streams))('%s is described as server-sent events', (name, stream) => {
  const described = find(stream.path, 'GET');
  expect(described.operationId).toBe(name);
  expect(findReply(described, 200)!.content).toHaveProperty(['text/event-stream', 'x-event-data', 'message']);
  const resumes = described.parameters?.some((parameter) => parameter.name === 'Last-Event-ID');
  expect(resumes).toBe('after' in stream.input.properties);
});

test('separates several values of a query parameter by commas, as the server parses them', () => {
  const status = find('/dag-runs', 'GET').parameters?.find(({ name }) => name === 'status');
  expect(status).toMatchObject({ in: 'query', required: false, explode: false });
});

test('defines model schemas once and references them', () => {
  expect(document.components.schemas.RunDetailView).toMatchObject({
    properties: { workflow: { $ref: '#/components/schemas/Workflow' } },
  });
  expect(document.components.schemas.DagDetailView).toMatchObject({
    properties: { latestRun: { $ref: '#/components/schemas/RunSummaryView' } },
  });
});
