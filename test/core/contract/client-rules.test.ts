import { describe, expect, test } from 'vitest';
import { checkInput } from '../../../core/api/explain-input.ts';
import { buildOpenApi } from '../../../core/contract/openapi.ts';
import type { Operation } from '../../../core/contract/operation.ts';
import { operations, streams } from '../../../core/contract/operations.ts';
import { findExample } from '../../../core/contract/curl-example.ts';

/** What OpenAPI client generators, linters and test tools require of the document, without those tools. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

const document = buildOpenApi('1.2.3') as unknown as {
  readonly servers: readonly { readonly url: string }[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const described = Object.values(document.paths).flatMap((item) => Object.values(item));

const follow = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;

/** Every property of a schema, by its path; references are not followed. */
function listProperties(schema: Schema, at: string): [path: string, property: Schema][] {
  const parts = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.patternProperties ?? {})];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, Schema][] => [
      [`${at}.${name}`, property],
      ...listProperties(property, `${at}.${name}`),
    ]),
    ...parts.flatMap((part) => (part === undefined ? [] : listProperties(part, at))),
  ];
}

const schemasOf = ({ operationId, requestBody, responses }: Described): [string, Schema][] =>
  [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).flatMap(({ schema }): [string, Schema][] =>
      schema === undefined ? [] : [[operationId, schema]],
    ),
  );

describe('the document', () => {
  test('has one server, and whole paths below it', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/']);
    expect(Object.keys(document.paths).filter((path) => !/^\/api\/v[12]\/.*[^/]$/.test(path))).toEqual([]);
    for (const item of Object.values(document.paths)) expect(item).not.toHaveProperty('servers');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/v1/quotes', '/api/v1/quotes/{id}', '/api/v2/dags']),
    );
  });

  test('names a contact', () => {
    expect(document.info).toMatchObject({ contact: { name: expect.any(String), url: expect.any(String) } });
  });

  test('has a unique id, a summary and a description for each operation', () => {
    expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length);
    const bare = described.filter(({ summary, description }) => !summary || !description);
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  // Add a `description` to the schema, or a line to core/contract/schema-descriptions.ts.
  test('describes each parameter and each property', () => {
    const parameters = described.flatMap(({ operationId, parameters: all = [] }) =>
      all.map((one): [string, Schema] => [`${operationId} ${one.name}`, { description: one.description }]),
    );
    const schemas = [...Object.entries(document.components.schemas), ...described.flatMap(schemasOf)];
    const properties = schemas.flatMap(([name, schema]) => listProperties(schema, name));
    const bare = [...parameters, ...properties].filter(
      ([, schema]) => !schema.description && !follow(schema).description,
    );
    expect(bare.map(([name]) => name)).toEqual([]);
  });

  test('bounds each integer of a request', () => {
    const inputs = described.flatMap(({ operationId, parameters = [], requestBody }) => [
      ...parameters.map(({ name, schema }): [string, Schema] => [`${operationId} ${name}`, schema]),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
        listProperties(schema, operationId),
      ),
    ]);
    const unbounded = inputs.filter(
      ([, { type, minimum, maximum }]) =>
        type === 'integer' && (minimum === undefined || maximum === undefined),
    );
    expect(unbounded.map(([name]) => name)).toEqual([]);
    expect(inputs.length).toBeGreaterThan(300);
  });
});

const tables: readonly [string, Pick<Operation, 'input'>][] = [
  ...Object.entries(operations),
  ...Object.entries(streams),
];

/** A valid input with every required field. */
const inputFor = (name: string, { input }: Pick<Operation, 'input'>): Record<string, unknown> =>
  Object.fromEntries(
    ((input.required ?? []) as readonly string[]).map((field) => [field, findExample(name, field, input)]),
  );

describe.each(tables)('%s', (name, operation) => {
  test('rejects unknown fields, as documented', () => {
    const surprised = { ...inputFor(name, operation), surprise: 1 };
    expect(() => checkInput(operation.input, surprised)).toThrow(/unknown field/);
    const body = described.find(({ operationId }) => operationId === name)?.requestBody;
    if (body !== undefined)
      expect(body.content['application/json']?.schema?.additionalProperties).toBe(false);
  });

  test('rejects integers outside of the documented bounds', () => {
    for (const [field, schema] of Object.entries(operation.input.properties as Record<string, Schema>)) {
      if (schema.type !== 'integer') continue;
      const beyond = { ...inputFor(name, operation), [field]: schema.maximum! + 1 };
      expect(() => checkInput(operation.input, beyond)).toThrow(/: must be at most \d+ \(got \d+\)/);
    }
  });
});
