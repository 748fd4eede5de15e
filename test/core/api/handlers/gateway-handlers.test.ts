import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { openDatabase } from '../../../../core/gateway/database/open-database.ts';
import { readGatewaySettings } from '../../../../core/gateway/gateway-settings.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder, createOnce, onTestCleanup } from '../../../harness/resources.ts';
import { TestEngine, testCaller, defaultConfig } from '../../../harness/engine.ts';
import { silentLogger } from '../../../harness/fakes.ts';

const shopSql = `
CREATE DOMAIN mark AS int;
CREATE FUNCTION mark_json(mark) RETURNS json LANGUAGE sql AS $$ SELECT to_json('#' || $1::int) $$;
CREATE FUNCTION mark_of(text) RETURNS mark LANGUAGE sql AS $$ SELECT substr($1, 2)::int::mark $$;
CREATE CAST (mark AS json) WITH FUNCTION mark_json(mark) AS IMPLICIT;
CREATE CAST (text AS mark) WITH FUNCTION mark_of(text) AS IMPLICIT;
CREATE TABLE makers (id int PRIMARY KEY, name text NOT NULL DEFAULT 'nobody');
CREATE TABLE things (id mark PRIMARY KEY, maker int REFERENCES makers, loud text GENERATED ALWAYS AS ('x') STORED);
COMMENT ON TABLE things IS 'What there is';
INSERT INTO makers VALUES (1, 'Ann'); INSERT INTO things VALUES (7, 1);
CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS SETOF int IMMUTABLE LANGUAGE sql AS $$ SELECT a + b $$;
`;

const send = (engine: TestEngine, request: OperationInput<'gateway.request'>) =>
  engine.host.api.call('gateway.request', request, testCaller);

describe('gateway operations', () => {
  const shared = createOnce(async () => {
    const engine = new TestEngine();
    const before = await engine.host.api.call('gateway.status', {}, testCaller);
    const empty = await engine.host.api.call('gateway.catalog', {}, testCaller);
    const settings = readGatewaySettings(defaultConfig);
    const other = openDatabase(settings, { data: join(engine.home, 'data') }, systemClock, silentLogger);
    onTestCleanup(() => other.close());
    await other.runScript(shopSql);
    const filled = await engine.host.api.call('gateway.reload', {}, testCaller);
    return { engine, before, empty, filled };
  });

  test('report the status, before and after the database is opened', async () => {
    const { before, engine } = shared();
    expect(before).toMatchObject({
      isEnabled: true,
      kind: 'embedded',
      state: 'closed',
      schemas: ['public'],
      needsToken: false,
      isReading: false,
    });
    const now = await engine.host.api.call('gateway.status', {}, testCaller);
    expect(now).toMatchObject({ state: 'open', version: expect.stringMatching(/^\d+\.\d+/) as string });
    expect(now.catalogReadAt).toBe(shared().filled.readAt);
  });

  test('list exposed relations as loaded, and again after a reload', () => {
    expect(shared().empty.tables).toEqual([]);
    const { tables, functions, domains } = shared().filled;
    expect(tables.map(({ name }) => name)).toEqual(['makers', 'things']);
    expect(tables[1]).toMatchObject({
      schema: 'public',
      kind: 'table',
      comment: 'What there is',
      isInsertable: true,
      related: ['makers'],
      columns: [
        {
          name: 'id',
          type: 'public.mark',
          baseType: 'integer',
          isKey: true,
          isNullable: false,
          domain: 'public.mark',
        },
        { name: 'maker', type: 'integer', isNullable: true, isKey: false },
        { name: 'loud', isGenerated: true },
      ],
    });
    expect(tables[0]?.columns[1]?.default).toBe("'nobody'::text");
    expect(functions.find(({ name }) => name === 'add')).toEqual({
      schema: 'public',
      name: 'add',
      parameters: [
        { name: 'a', type: 'integer', isRequired: true },
        { name: 'b', type: 'integer', isRequired: false },
      ],
      result: 'SETOF integer',
      isReadOnly: true,
    });
    expect(domains).toEqual([
      {
        schema: 'public',
        name: 'mark',
        response: 'public.mark_json',
        filter: 'public.mark_of',
        columns: [{ table: { schema: 'public', name: 'things' }, column: 'id' }],
      },
    ]);
  });

  test('send requests and show the responses', async () => {
    const { engine } = shared();
    const read = await send(engine, { method: 'GET', path: '/things?id=eq.%237&select=id,makers(name)' });
    expect(read).toMatchObject({ status: 200, isCut: false, body: '[{"id":"#7","makers":{"name":"Ann"}}]' });
    expect(read.headers['content-type']).toContain('application/json');
    const written = await send(engine, {
      method: 'POST',
      path: '/makers',
      headers: { 'Content-Type': 'application/json', Prefer: 'return=representation' },
      body: '{"id": 2, "name": "Bob"}',
    });
    expect(written).toMatchObject({ status: 201, body: '[{"id":2,"name":"Bob"}]' });
    expect(await send(engine, { method: 'GET', path: '/nothing' })).toMatchObject({ status: 404 });
    await expect(send(engine, { method: 'GET', path: '/%zz' })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});

test('report a disabled gateway', async () => {
  const home = makeTemporaryFolder();
  writeFileSync(join(home, 'config.yaml'), 'gateway: {enabled: false}');
  const engine = new TestEngine({ home });
  expect(await engine.host.api.call('gateway.status', {}, testCaller)).toMatchObject({ isEnabled: false });
  for (const name of ['gateway.catalog', 'gateway.reload'] as const)
    await expect(engine.host.api.call(name, {}, testCaller)).rejects.toMatchObject({ code: 'not_found' });
});

test('report a missing database as an error of the user, not as a defect', async () => {
  const home = makeTemporaryFolder();
  writeFileSync(join(home, 'config.yaml'), 'gateway: {databaseUrl: "postgres://nobody@127.0.0.1:9/none"}');
  const engine = new TestEngine({ home });
  await expect(engine.host.api.call('gateway.catalog', {}, testCaller)).rejects.toMatchObject({
    code: 'unavailable',
  });
});
