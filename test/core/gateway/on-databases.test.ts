import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { readCatalog } from '../../../core/gateway/catalog/read-catalog.ts';
import type { Catalog } from '../../../core/gateway/catalog/catalog.ts';
import {
  privilegesStatement,
  readPrivileges,
  type SchemaAccess,
  buildOpenApi,
} from '../../../core/gateway/openapi.ts';
import { describeOnDatabases } from '../../harness/databases.ts';
import { FakeClock } from '../../harness/fakes.ts';

const shopSql = `
CREATE SCHEMA shop; COMMENT ON SCHEMA shop IS E'The shop\nSells things.';
CREATE DOMAIN shop.key AS uuid;
CREATE FUNCTION shop.key_json(shop.key) RETURNS json LANGUAGE sql AS $$ SELECT to_json($1::text) $$;
CREATE CAST (shop.key AS json) WITH FUNCTION shop.key_json(shop.key) AS IMPLICIT;
CREATE TABLE shop.makers (id shop.key PRIMARY KEY, name varchar(20) NOT NULL DEFAULT 'it''s');
CREATE TYPE shop.mood AS ENUM ('sad', 'glad');
CREATE TABLE shop."odd / things" (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, maker shop.key REFERENCES shop.makers, tags text[] DEFAULT '{}',
  price numeric(9,2) DEFAULT 1.50, open boolean DEFAULT true, more jsonb, mood shop.mood DEFAULT 'sad', secret text,
  made timestamptz DEFAULT now()
);
COMMENT ON TABLE shop."odd / things" IS E'Things\nAll of them.'; COMMENT ON COLUMN shop."odd / things".price IS 'In euros';
CREATE VIEW shop.names AS SELECT upper(name) AS name FROM shop.makers;
CREATE TABLE shop.private (id int);
CREATE FUNCTION shop.add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT a + b $$;
CREATE FUNCTION shop.change(VARIADIC parts int[]) RETURNS void LANGUAGE sql AS $$ SELECT $$;
CREATE FUNCTION shop.closed() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
REVOKE EXECUTE ON FUNCTION shop.closed() FROM public;
CREATE ROLE shopper; CREATE ROLE stranger;
GRANT USAGE ON SCHEMA shop TO shopper;
GRANT SELECT ON shop.makers, shop.names TO shopper;
GRANT SELECT (id, maker, price, tags, open, more, mood, made), INSERT (price) ON shop."odd / things" TO shopper;
`;

describeOnDatabases('description of a schema', (under) => {
  let catalog: Catalog;

  const accessOf = async (role?: string): Promise<SchemaAccess> => {
    const set = { text: "SELECT set_config('role', $1, true)", values: [role ?? 'none'] };
    const [, answer] = await under().database.transact({
      isReadOnly: true,
      statements: [set, privilegesStatement('shop')],
    });
    return readPrivileges(answer!);
  };

  const describeFor = async (role?: string) =>
    buildOpenApi({ catalog, schema: 'shop', access: await accessOf(role), mount: '/gateway' });

  beforeAll(async () => {
    await under().database.runScript(shopSql);
    catalog = await readCatalog(under().database, {
      schemas: ['shop'],
      extraSearchPath: [],
      clock: new FakeClock(),
    });
  }, 60_000);

  test('is valid OpenAPI 2.0 for every role', async () => {
    for (const role of [undefined, 'shopper', 'stranger']) {
      const { valid, errors } = await new Validator().validate(await describeFor(role));
      expect({ valid, errors }).toMatchObject({ valid: true });
    }
  });

  test('has everything for the owner', async () => {
    const document = await describeFor();
    expect(document).toMatchObject({
      swagger: '2.0',
      info: { title: 'The shop', description: 'Sells things.', version: catalog.serverVersion },
      basePath: '/gateway',
    });
    const methods = Object.entries(document.paths as object).map(([path, item]) => [path, Object.keys(item)]);
    expect(Object.fromEntries(methods)).toEqual({
      '/': ['get'],
      '/makers': ['get', 'post', 'patch', 'delete'],
      '/names': ['get', 'delete'],
      '/odd / things': ['get', 'post', 'patch', 'delete'],
      '/private': ['get', 'post', 'patch', 'delete'],
      '/rpc/add': ['get', 'post'],
      '/rpc/change': ['post'],
      '/rpc/closed': ['post'],
    });
  });

  test('has only what a role may use', async () => {
    const document = await describeFor('shopper');
    const paths = document.paths as Record<string, object>;
    expect(Object.keys(paths)).toEqual([
      '/',
      '/makers',
      '/names',
      '/odd / things',
      '/rpc/add',
      '/rpc/change',
    ]);
    expect(Object.keys(paths['/makers']!)).toEqual(['get']);
    expect(Object.keys(paths['/odd / things']!)).toEqual(['get', 'post']);
    expect(document).not.toHaveProperty(['definitions', 'odd / things', 'properties', 'secret']);
    expect(document).toHaveProperty(['definitions', 'odd / things', 'properties', 'price']);
    expect(Object.keys((await describeFor('stranger')).paths as object)).toEqual(['/']);
  });

  test('describes columns: types, keys, defaults and conversions', async () => {
    const { definitions } = (await describeFor()) as { definitions: Record<string, object> };
    expect(definitions.makers).toEqual({
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: {
          format: 'shop.key',
          description:
            'Note:\nThis is a Primary Key.<pk/>\n' +
            'Uses the format of the domain shop.key in responses, and the stored uuid format in filters and bodies.',
        },
        name: { format: 'character varying', type: 'string', maxLength: 20, default: "it's" },
      },
    });
    expect(definitions['odd / things']).toMatchObject({
      description: 'Things\nAll of them.',
      properties: {
        id: { format: 'bigint', type: 'integer' },
        maker: { description: expect.stringContaining("<fk table='makers' column='id'/>") as string },
        tags: { type: 'array', items: { type: 'string' }, default: '{}' },
        price: { format: 'numeric', type: 'number', default: 1.5, description: 'In euros' },
        open: { type: 'boolean', default: true },
        more: { format: 'jsonb' },
        mood: { type: 'string', enum: ['sad', 'glad'], default: 'sad' },
        made: { type: 'string', default: 'now()' },
      },
    });
  });

  test('describes parameters of functions', async () => {
    const { paths } = (await describeFor()) as { paths: Record<string, object> };
    expect(paths['/rpc/add']).toMatchObject({
      get: {
        parameters: [
          { name: 'a', in: 'query', required: true, type: 'integer' },
          { name: 'b', required: false },
        ],
      },
      post: { parameters: [{ name: 'args', schema: { required: ['a'] } }] },
    });
  });
});
