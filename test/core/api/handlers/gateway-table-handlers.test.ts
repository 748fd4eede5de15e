import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationInput, OperationName, OperationOutput } from '../../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { createOnce, waitUntilPasses } from '../../../harness/resources.ts';

const shopSql = `
CREATE DOMAIN mark AS int CHECK (VALUE < 1000);
CREATE FUNCTION mark_json(mark) RETURNS json LANGUAGE sql AS $$ SELECT to_json('#' || $1::int) $$;
CREATE FUNCTION mark_of(text) RETURNS mark LANGUAGE sql AS $$ SELECT substr($1, 2)::int::mark $$;
CREATE FUNCTION mark_of(json) RETURNS mark LANGUAGE sql AS $$ SELECT mark_of($1 #>> '{}') $$;
CREATE CAST (mark AS json) WITH FUNCTION mark_json(mark) AS IMPLICIT;
CREATE CAST (text AS mark) WITH FUNCTION mark_of(text) AS IMPLICIT;
CREATE CAST (json AS mark) WITH FUNCTION mark_of(json) AS IMPLICIT;
CREATE TABLE things (id mark PRIMARY KEY, name text, price numeric(6, 2), code varchar(3), kind text NOT NULL DEFAULT 'plain');
CREATE INDEX ON things (price);
INSERT INTO things SELECT n, 'thing ' || n, CASE WHEN n % 3 = 0 THEN NULL ELSE n % 5 END FROM generate_series(1, 25) n;
CREATE VIEW cheap AS SELECT * FROM things WHERE price < 2;
CREATE TABLE loose (note text);
CREATE TABLE pairs (a int, b text, note text, PRIMARY KEY (a, b));
INSERT INTO pairs VALUES (1, 'x', NULL), (1, 'y', ''), (2, 'x', repeat('long', 500));
`;

const shared = createOnce(async () => {
  const engine = new TestEngine();
  await call(engine, 'gateway.sql', { sql: shopSql, isReadOnly: false });
  await call(engine, 'gateway.reload', {});
  return { engine };
});

const call = <Name extends OperationName>(engine: TestEngine, name: Name, input: OperationInput<Name>) =>
  engine.host.api.call(name, input, testCaller) as Promise<OperationOutput<Name>>;

const ask = <Name extends OperationName>(name: Name, input: OperationInput<Name>) =>
  call(shared().engine, name, input);

const inTable = (table: string) => ({ schema: 'public', table });

/** Reads all pages of a table; returns one column. */
async function readColumn(input: OperationInput<'gateway.rows'>, index = 0): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await ask('gateway.rows', { ...input, ...(cursor !== undefined && { cursor }) });
    texts.push(...page.rows.map(({ cells }) => cells[index]?.text ?? null));
    if (page.nextCursor === undefined) return texts;
    cursor = page.nextCursor;
  }
}

describe('rows', () => {
  test('are read in pages by key, with presented and stored values', async () => {
    const first = await ask('gateway.rows', { ...inTable('things'), limit: 10 });
    expect(first.rows[0]).toEqual({
      key: ['1'],
      cells: [
        { text: '#1', stored: '1' },
        { text: 'thing 1' },
        { text: '1.00' },
        { text: null },
        { text: 'plain' },
      ],
    });
    expect(first.info).toMatchObject({ count: 25, isCountCapped: false, indexed: ['id', 'price'] });
    const all = await readColumn({ ...inTable('things'), limit: 10 });
    expect(all).toEqual(Array.from({ length: 25 }, (_, index) => `#${index + 1}`));
  });

  test('are ordered by a column with NULL last, in both directions, without gaps between pages', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const order = { column: 'price', direction };
      const prices = await readColumn({ ...inTable('things'), order, limit: 4 }, 2);
      const filled = prices.filter((price) => price !== null).map(Number);
      expect(prices).toHaveLength(25);
      expect(prices.slice(filled.length)).toEqual(Array(8).fill(null));
      expect(filled).toEqual(filled.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)));
      expect(new Set(await readColumn({ ...inTable('things'), order, limit: 4 })).size).toBe(25);
    }
    const byPair = { ...inTable('pairs'), order: { column: 'b', direction: 'asc' as const }, limit: 1 };
    expect(await readColumn(byPair)).toEqual(['1', '2', '1']);
  });

  test('are filtered per column, with values as presented', async () => {
    const named = (column: string, operator: 'eq' | 'contains' | 'isNull' | 'gt', value?: string) =>
      readColumn({
        ...inTable('things'),
        filters: [{ column, operator, ...(value !== undefined && { value }) }],
      });
    expect(await named('id', 'eq', '#7')).toEqual(['#7']);
    expect(await named('name', 'contains', 'ING 2')).toHaveLength(7);
    expect(await named('name', 'contains', '%')).toEqual([]);
    expect(await named('id', 'contains', '#2')).toHaveLength(7);
    expect(await named('price', 'isNull')).toHaveLength(8);
    await expect(named('price', 'gt', 'cheap')).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('invalid input syntax for type numeric: "cheap"') as string,
    });
    await expect(named('nothing', 'isNull')).rejects.toMatchObject({ code: 'bad_request' });
  });

  test('have a reason why they are read-only, and long values in full', async () => {
    expect((await ask('gateway.rows', inTable('cheap'))).readOnly).toContain('Rows of a view are read-only');
    expect((await ask('gateway.rows', inTable('loose'))).readOnly).toContain('no primary key');
    const { rows } = await ask('gateway.rows', inTable('pairs'));
    expect(rows.map(({ cells }) => cells[2]?.text?.length)).toEqual([undefined, 0, 1_000]);
    expect(rows[2]?.cells[2]?.isCut).toBe(true);
    const value = await ask('gateway.value', { ...inTable('pairs'), key: ['2', 'x'], column: 'note' });
    expect(value.text).toHaveLength(2_000);
  });
});

describe('edits', () => {
  const change = (
    key: string,
    values: Record<string, string | null>,
    expected: Record<string, string | null>,
  ) => ask('gateway.updateRow', { ...inTable('things'), key: [key], values, expected });

  test('convert typed values, and do not overwrite other changes', async () => {
    const { row } = await change('2', { price: '7.5', code: null }, { price: '2.00', code: null });
    expect(row.cells[2]).toEqual({ text: '7.50' });
    await expect(change('2', { price: '8' }, { price: '2.00' })).rejects.toMatchObject({
      code: 'conflict',
      message: 'This row was changed in the meantime: price is now "7.50".',
    });
    const moved = await change('2', { id: '#102' }, { id: '2' });
    expect(moved.row.key).toEqual(['102']);
    await expect(change('2', { price: '8' }, { price: '7.50' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('report the message of PostgreSQL and the column at fault', async () => {
    await expect(change('3', { price: 'much' }, { price: null })).rejects.toMatchObject({
      message: 'invalid input syntax for type numeric: "much".',
      details: { sqlstate: '22P02', field: 'values.price' },
    });
    const insert = (values: Record<string, string | null>) =>
      ask('gateway.insertRow', { ...inTable('things'), values });
    await expect(insert({ id: '#200', name: 'x', price: 'much' })).rejects.toMatchObject({
      details: { field: 'values.price' },
    });
    await expect(insert({ id: '#200', code: 'toolong' })).rejects.toMatchObject({
      details: { field: 'values.code' },
    });
    await expect(insert({ id: '#200', kind: null, name: 'x' })).rejects.toMatchObject({
      details: { field: 'values.kind', sqlstate: '23502' },
    });
    await expect(insert({ id: '#3', name: 'again' })).rejects.toMatchObject({
      details: { field: 'values.id', sqlstate: '23505' },
    });
    const { row } = await insert({ id: '#200', name: '' });
    expect(row).toMatchObject({
      key: ['200'],
      cells: [{ text: '#200' }, { text: '' }, { text: null }, {}, { text: 'plain' }],
    });
  });

  test('delete rows by key, and count those that were there', async () => {
    const keys = [['4'], ['5'], ['999']];
    expect(await ask('gateway.deleteRows', { ...inTable('things'), keys })).toEqual({ deleted: 2 });
    const pair = { ...inTable('pairs'), keys: [['1', 'y']] };
    expect(await ask('gateway.deleteRows', pair)).toEqual({ deleted: 1 });
    await expect(ask('gateway.deleteRows', { ...inTable('cheap'), keys: [['6']] })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});

describe('SQL', () => {
  test('returns the first rows and the count, with types', async () => {
    const { results } = await ask('gateway.sql', {
      sql: `-- numbers\nSELECT n, n::text AS word FROM generate_series(1, 5000) n; SELECT 1.50 AS price`,
    });
    expect(results[0]).toMatchObject({ count: 5_000, isCountCapped: false });
    expect(results[0]?.rows).toHaveLength(1_000);
    expect(results[0]?.columns).toEqual([
      { name: 'n', type: 'integer' },
      { name: 'word', type: 'text' },
    ]);
    expect(results[1]).toMatchObject({ rows: [['1.50']], count: 1 });
    const many = await ask('gateway.sql', { sql: 'SELECT generate_series(1, 300000)' });
    expect(many.results[0]).toMatchObject({ count: 101_001, isCountCapped: true });
  });

  test('rejects writes unless they are allowed, and keeps nothing of a failed script', async () => {
    const write = `INSERT INTO loose VALUES ('one')`;
    await expect(ask('gateway.sql', { sql: write })).rejects.toMatchObject({
      details: { sqlstate: '25006', hint: 'Switch off "Read-only" to run statements that write.' },
    });
    for (const escape of ['COMMIT', 'SET TRANSACTION READ WRITE', '/* x */ end', 'set role none'])
      await expect(ask('gateway.sql', { sql: `${escape}; ${write}` })).rejects.toMatchObject({
        code: 'bad_request',
      });
    const both = { sql: `${write}; SELECT 1 / 0`, isReadOnly: false };
    await expect(ask('gateway.sql', both)).rejects.toMatchObject({ message: 'division by zero' });
    const { results } = await ask('gateway.sql', { sql: `${write} RETURNING *`, isReadOnly: false });
    expect(results[0]).toMatchObject({ rows: [['one']], count: 1 });
    expect((await ask('gateway.rows', inTable('loose'))).info?.count).toBe(1);
  });

  test('reports the position of an error in the whole script, and stops after the timeout', async () => {
    const errorOf = async (sql: string, timeout = 30, isReadOnly = true): Promise<object> =>
      ask('gateway.sql', { sql, timeout, isReadOnly }).then(
        () => ({}),
        (error: object) => error,
      );
    expect(await errorOf(`SELECT 'ä';\nSELECT *\n  FROM nowhere`)).toMatchObject({
      details: { position: 29, line: 3, column: 8 },
    });
    expect(await errorOf('SELEC 1')).toMatchObject({ details: { position: 1, line: 1, column: 1 } });
    expect(await errorOf(`COPY loose FROM '/tmp/none.csv'`, 30, false)).toMatchObject({
      details: { hint: expect.stringContaining('engine gateway import FILE --table TABLE') as string },
    });
    let stopped: object | undefined;
    void errorOf('SELECT count(*) FROM generate_series(1, 1e12)', 1).then((error) => (stopped = error));
    await waitUntilPasses(() => {
      shared().engine.clock.advance(1_000);
      expect(stopped).toMatchObject({ details: { sqlstate: '57014' } });
    });
  });
});

describe('imports', () => {
  async function start(lines: readonly (readonly string[])[]): Promise<string> {
    const { importId } = await ask('gateway.createImport', { width: lines[0]?.length ?? 1 });
    const rows = lines.map((values, index) => ({ line: index + 2, values: [...values] }));
    await ask('gateway.addImportRows', { importId, rows });
    // Sent again after a lost response.
    await ask('gateway.addImportRows', { importId, rows });
    return importId;
  }

  test('create a table with a generated key, after errors by line', async () => {
    const importId = await start([
      ['Bern', '1', '2026-01-02'],
      ['Basel, "old"', 'many', ''],
      ['Thun', '', 'never'],
    ]);
    const target = { importId, ...inTable('cities'), isNew: true, key: 'id' };
    const columns = [
      { source: 0, name: 'city' },
      { source: 1, name: 'size', type: 'integer' as const },
      { source: 2, name: 'since', type: 'date' as const },
    ];
    expect(await ask('gateway.finishImport', { ...target, columns })).toEqual({
      rows: 0,
      errors: [
        { line: 3, message: 'invalid input syntax for type integer: "many"' },
        { line: 4, message: 'invalid input syntax for type date: "never"' },
      ],
    });
    const asTexts = columns.map(({ source, name }) => ({ source, name }));
    expect(await ask('gateway.finishImport', { ...target, columns: asTexts })).toEqual({
      rows: 3,
      errors: [],
    });
    await ask('gateway.reload', {});
    expect(await readColumn(inTable('cities'), 0)).toEqual(['1', '2', '3']);
    expect(await readColumn(inTable('cities'), 2)).toEqual(['1', 'many', null]);
    const again = { ...target, ...inTable('towns'), columns };
    await expect(ask('gateway.finishImport', again)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('append to a table by its conversions, all rows or none', async () => {
    const columns = [
      { source: 1, name: 'id' },
      { source: 0, name: 'code' },
    ];
    const bad = await start([
      ['a', '#301'],
      ['long', '#302'],
      ['b', '#301'],
    ]);
    const { rows, errors } = await ask('gateway.finishImport', {
      importId: bad,
      ...inTable('things'),
      columns,
    });
    expect({ rows, lines: errors.map(({ line }) => line) }).toEqual({ rows: 0, lines: [3, 4] });
    expect(errors[1]?.message).toContain('duplicate key value');
    await ask('gateway.cancelImport', { importId: bad });
    const good = await start([['a', '#301']]);
    const outcome = await ask('gateway.finishImport', { importId: good, ...inTable('things'), columns });
    expect(outcome.rows).toBe(1);
    const found = await ask('gateway.rows', {
      ...inTable('things'),
      filters: [{ column: 'code', operator: 'eq', value: 'a' }],
    });
    expect(found.rows[0]?.key).toEqual(['301']);
  });
});

test('the database stays in use after a restart', async () => {
  const { home } = shared().engine;
  const engine = new TestEngine({ home: join(home) });
  expect(await call(engine, 'gateway.status', {})).toMatchObject({ state: 'closed', isUsed: true });
  expect(await call(new TestEngine(), 'gateway.status', {})).toMatchObject({ isUsed: false });
});
