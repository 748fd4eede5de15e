import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../core/base/error-codes.ts';
import { buildOpenApi } from '../../../../core/contract/openapi/openapi.ts';
import { operations, streams } from '../../../../core/contract/operations.ts';
import { generateFiles } from '../../../../scripts/generate.ts';

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
  responses: Record<
    string,
    { description: string; content: Record<string, { examples?: Record<string, unknown> }> }
  >;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  tags: { name: string }[];
  security: unknown[];
  components: {
    schemas: Record<string, unknown>;
    examples: Record<string, unknown>;
    securitySchemes: object;
  };
}

const document = buildOpenApi('1.2.3') as unknown as Document;
const find = (path: string, method: string): Described => document.paths[path]![method.toLowerCase()]!;

test('is a valid OpenAPI 3.1 document', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('the checked-in files are what the sources generate; `npm run generate` renews them', () => {
  const expected = generateFiles();
  const present = Array.from(expected.keys(), (path) => {
    return [path, readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')] as const;
  });
  expect(new Map(present)).toEqual(expected);
});

test('has whole files of runs, with ranges', () => {
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
  expect(file.responses['206']!.content).toHaveProperty('application/octet-stream');
});

test('tells where a server is, and the name of its cookie', () => {
  const cookie = expect.objectContaining({ in: 'cookie', name: 'stepwright_77' });
  expect(buildOpenApi('1', { basePath: '/flows', sessionCookie: 'stepwright_77' })).toMatchObject({
    servers: [{ url: '/flows/api/v2' }],
    components: { securitySchemes: { cookie } },
  });
});

test('every reference leads somewhere, and every named shape is referred to', () => {
  const text = JSON.stringify(document);
  const referred = new Set(
    Array.from(text.matchAll(/"#\/components\/schemas\/(\w+)"/g), (match) => match[1]!),
  );
  expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
});

describe.each(Object.entries(operations))('%s', (name, operation) => {
  const described = find(operation.path, operation.method);

  test('is described under its method and path with all of its input', () => {
    expect(described.operationId).toBe(name);
    const body = described.requestBody?.content['application/json'].schema.properties ?? {};
    const fields = [...(described.parameters ?? []).map((parameter) => parameter.name), ...Object.keys(body)];
    expect(fields.sort()).toEqual(Object.keys(operation.input.properties).sort());
  });

  test('names each refusal under its status, with an example', () => {
    for (const code of [...operation.errors, 'bad_request', 'internal_error'] as const) {
      const response = described.responses[errorCodes[code].http];
      expect(response?.description).toContain(`\`${code}\``);
      expect(response?.content['application/json']?.examples).toHaveProperty(code);
    }
  });
});

describe.each([...Object.entries(operations), ...Object.entries(streams)])('%s', (_name, operation) => {
  const described = find(operation.path, 'method' in operation ? operation.method : 'GET');

  test('says who may call it, and belongs to a group that is described', () => {
    expect(described['x-role']).toBe(operation.role);
    expect(document.tags.map((tag) => tag.name)).toContain(described.tags[0]);
    expect(described.summary).toMatch(/^[A-Z]/);
    expect(described.summary).not.toMatch(/seed|peer|DESIGN|\.$/);
    if ('public' in operation && operation.public) expect(described.security).toEqual([]);
    else expect(described.responses['401']?.description).toContain('`unauthorized`');
  });

  // Add a `description` to the field's schema, or a line to core/contract/reference/field-meanings.ts.
  test('says what each of its fields means', () => {
    const body = described.requestBody?.content['application/json'].schema.properties ?? {};
    const fields = [...(described.parameters ?? []), ...Object.values(body)];
    expect(fields.filter(({ description }) => description === '')).toEqual([]);
  });
});

test('any of the ways to authenticate will do', () => {
  expect(document.security).toEqual([{ bearer: [] }, { basic: [] }, { cookie: [] }, {}]);
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'basic', 'cookie']);
  expect(Object.keys(document.components.examples)).toEqual(Object.keys(errorCodes));
});

test.each(Object.entries(streams))('%s is described as server-sent events', (name, stream) => {
  const described = find(stream.path, 'GET');
  expect(described.operationId).toBe(name);
  expect(described.responses['200']!.content).toHaveProperty([
    'text/event-stream',
    'x-event-data',
    'message',
  ]);
  const resumes = described.parameters?.some((parameter) => parameter.name === 'Last-Event-ID');
  expect(resumes).toBe('after' in stream.input.properties);
});

test('several values of a query parameter are separated by commas, as the server reads them', () => {
  const status = find('/dag-runs', 'GET').parameters?.find(({ name }) => name === 'status');
  expect(status).toMatchObject({ in: 'query', required: false, explode: false });
});

test('shapes of the model stand once and are referred to', () => {
  expect(document.components.schemas.RunDetailView).toMatchObject({
    properties: { workflow: { $ref: '#/components/schemas/Workflow' } },
  });
  expect(document.components.schemas.DagDetailView).toMatchObject({
    properties: { latestRun: { $ref: '#/components/schemas/RunSummaryView' } },
  });
});
