import { describe, expect, test } from 'vitest';
import type { ShopGateway } from './shop.ts';

const acme = 'hGxH//ZLROY4pk93EAAAAQ==';
const bolt = 'hGxH//ZLROY4pk93EAAAAg==';
const fresh = 'AAAAAAAAAAAAAAAAAAAAAQ==';
const freshStored = '00000000-0000-0000-0000-000000000001';
const minimal = { prefer: { return: 'minimal' } } as const;
const merging = { prefer: { resolution: 'merge-duplicates' } } as const;
const ignoring = { prefer: { resolution: 'ignore-duplicates' } } as const;
const filling = { prefer: { missing: 'default' } } as const;
const byKey = (key: string): string => `id=eq.${encodeURIComponent(key)}`;

export function testWrites(desk: () => ShopGateway): void {
  const error = async (attempt: () => Promise<unknown>): Promise<unknown> => {
    try {
      await attempt();
    } catch (cause) {
      return cause;
    }
    return undefined;
  };

  describe('inserts', () => {
    test('convert represented values, store them natively, and represent the result', async () => {
      const answer = await desk().post(
        'makers',
        '',
        { id: fresh, name: 'New' },
        {},
        'SELECT id, name FROM shop.makers',
      );
      expect(answer).toMatchObject({ json: [{ id: fresh, name: 'New', parent: null }], shown: 1 });
      expect(answer.after).toContainEqual({ id: freshStored, name: 'New' });
    });

    test('keep all digits, and read values by column type', async () => {
      const row =
        '{"big":9007199254740993,"price":1234567890.10,"tags":["x","y,\\"z"],"data":{"a": [null]},' +
        '"place":{"street":"S","number":3}}';
      const { body } = await desk().post('items', 'select=big,price,tags,data,place', row);
      expect(body).toBe(`[${row}]`);
    });

    test('of many rows, with defaults for missing columns', async () => {
      const rows = [
        { id: 51, color: '#00ff00' },
        { id: 52, color: null },
      ];
      const answer = await desk().post('items', 'select=id,color,name,sold_at->seconds&order=id.desc', rows);
      expect(answer).toMatchObject({
        json: [
          { id: 52, color: '', name: 'thing', seconds: 1577836800 },
          { id: 51, color: '#00ff00', name: 'thing', seconds: 1577836800 },
        ],
        shown: 2,
      });
    });

    test('of nothing, and of defaults alone', async () => {
      expect(await desk().post('items', '', [])).toMatchObject({ json: [], shown: 0 });
      expect(await desk().post('items', 'select=name', {})).toMatchObject({ json: [{ name: 'thing' }] });
      expect(await desk().post('items', 'select=name', [{}, {}])).toMatchObject({ shown: 2 });
    });

    test('use only the columns that the query names', async () => {
      const row = { id: 51, name: 'x', nonsense: { a: 1 } };
      const answer = await desk().post('items', 'columns=id,color&select=id,name,color', row);
      expect(answer.json).toEqual([{ id: 51, name: 'thing', color: '' }]);
    });

    test('fill gaps with defaults, without conversion', async () => {
      const rows = [{ id: 51, sold_at: 60 }, { id: 52 }, { name: null, id: 53, color: '#00ff00' }];
      const query = 'columns=id,name,sold_at,color&select=id,name,color,sold_at->seconds&order=id';
      expect((await desk().post('items', query, rows.slice(0, 2), filling)).json).toEqual([
        { id: 51, name: 'thing', color: '#0000ff', seconds: 60 },
        { id: 52, name: 'thing', color: '#0000ff', seconds: 1577836800 },
      ]);
      // An explicit null is not a gap.
      await expect(desk().post('items', query, rows.slice(2), filling)).rejects.toMatchObject({
        code: '23502',
      });
      const numbered = await desk().post('items', 'columns=id,name&select=id,name', { name: 'x' }, filling);
      expect(numbered.json).toEqual([{ id: expect.any(Number) as number, name: 'x' }]);
    });

    test('reject keys that are not columns', async () => {
      const expected = { status: 400, code: 'PGRST204' };
      expect(await error(() => desk().post('items', '', { nonsense: 1 }))).toMatchObject(expected);
      expect(await error(() => desk().post('items', 'columns=nonsense', {}))).toMatchObject({
        ...expected,
        hint: 'New columns are available after a reload of the schema cache.',
      });
      expect(await error(() => desk().post('items', '', { nam: 'x' }))).toMatchObject({
        ...expected,
        hint: "Perhaps you meant the column 'name'.",
      });
    });

    test('return nothing by default, or only the key as filters accept it', async () => {
      expect(await desk().post('makers', '', { id: fresh, name: 'x' }, minimal)).toMatchObject({
        body: null,
        shown: 1,
        key: null,
      });
      const headers = { prefer: { return: 'headers-only' } } as const;
      expect((await desk().post('makers', '', { id: fresh, name: 'x' }, headers)).key).toEqual({ id: fresh });
      expect((await desk().post('pairs', '', { a: 5, b: 6 }, headers)).key).toEqual({ a: '5', b: '6' });
      expect(
        (
          await desk().post(
            'pairs',
            '',
            [
              { a: 5, b: 6 },
              { a: 7, b: 8 },
            ],
            headers,
          )
        ).key,
      ).toBeNull();
      expect((await desk().post('keyless', '', { a: 5 }, headers)).key).toBeNull();
    });

    test('need the right to read only what is returned', async () => {
      const clerk = { role: 'clerk' } as const;
      const quiet = { ...clerk, ...minimal };
      const row = { id: fresh, name: 'x' };
      expect(await desk().post('keyless', '', { a: 1 }, quiet)).toMatchObject({
        shown: 1,
      });
      expect(await desk().post('makers', 'select=id,name', row, clerk)).toMatchObject({ json: [row] });
      expect(await desk().patch('makers', byKey(bolt), { name: 'y' }, quiet)).toMatchObject({ shown: 1 });
      const denied = { code: '42501' };
      await expect(desk().post('makers', '', row, clerk)).rejects.toMatchObject(denied);
      await expect(desk().post('keyless', '', { a: 1 }, clerk)).rejects.toMatchObject(denied);
    });

    test('work through views', async () => {
      const answer = await desk().post('item_colors', '', { id: 51, name: 'x', color: '#00ff00' });
      expect(answer.json).toEqual([{ id: 51, name: 'x', color: '#00ff00' }]);
    });

    test('embed in the returned rows, and compute', async () => {
      const row = { id: 51, name: 'x', maker: acme };
      const query = 'select=label,makers(name),siblings(id),maker_of:first_maker(name)&siblings.order=id';
      expect((await desk().post('items', query, row)).json).toEqual([
        {
          label: 'X',
          makers: { name: 'Acme' },
          siblings: [{ id: 1 }, { id: 3 }],
          maker_of: { name: 'Acme' },
        },
      ]);
    });

    test('one object, and CSV', async () => {
      const format = { kind: 'object', stripsNulls: false } as const;
      expect((await desk().post('colors', '', { code: '#000001' }, { format })).json).toEqual({
        code: '#000001',
        name: null,
      });
      const csv = { format: { kind: 'csv' } } as const;
      expect((await desk().post('colors', '', { code: '#000001' }, csv)).body).toBe('code,name\n#000001,');
    });

    test('write nothing when a conversion rejects a row', async () => {
      const rows = [
        { id: fresh, name: 'x' },
        { id: '***', name: 'y' },
      ];
      await expect(desk().post('makers', '', rows)).rejects.toMatchObject({ code: '22023' });
    });
  });

  describe('upserts', () => {
    test('merge into existing rows, by stored values', async () => {
      const rows = [
        { id: acme, name: 'Changed' },
        { id: fresh, name: 'New' },
      ];
      const answer = await desk().post('makers', 'select=id,name&order=name', rows, merging);
      expect(answer).toMatchObject({ json: rows, shown: 2, inserted: '1' });
      expect(await desk().post('makers', '', rows.slice(0, 1), merging)).toMatchObject({ inserted: '0' });
    });

    test('ignore existing rows', async () => {
      const rows = [
        { id: acme, name: 'Changed' },
        { id: fresh, name: 'New' },
      ];
      const answer = await desk().post(
        'makers',
        'select=name',
        rows,
        ignoring,
        'SELECT name FROM shop.makers',
      );
      expect(answer).toMatchObject({ json: [{ name: 'New' }], shown: 1, inserted: '1' });
      expect(answer.after).toContainEqual({ name: 'Acme' });
    });

    test('compare the named key, else the primary key', async () => {
      const answer = await desk().post('pairs', 'on_conflict=c', { a: 9, b: 9, c: 'x' }, merging);
      expect(answer).toMatchObject({ json: [{ a: 9, b: 9, c: 'x' }], inserted: '0' });
      expect(await desk().post('keyless', '', { a: 1 }, merging)).toMatchObject({ shown: 1, inserted: null });
      await expect(desk().post('pairs', 'on_conflict=a', { a: 1, b: 1 }, merging)).rejects.toMatchObject({
        code: '42P10',
      });
    });

    test('into a relation with PostgreSQL’s name of the new row', async () => {
      const merge = { prefer: { resolution: 'merge-duplicates' } } as const;
      const rows = [
        { id: 1, color: '#000001' },
        { id: 2, color: '#000002' },
      ];
      expect(await desk().post('excluded', 'order=id', rows, merge)).toMatchObject({
        json: rows,
        inserted: '1',
      });
      expect(await desk().put('excluded', 'id=eq.1', rows[0])).toMatchObject({
        json: [rows[0]],
        inserted: '0',
      });
      expect(await desk().patch('excluded', 'id=eq.1', { color: '#000003' })).toMatchObject({
        json: [{ id: 1, color: '#000003' }],
      });
    });

    test('restart counts in each transaction', async () => {
      for (let round = 0; round < 2; round += 1)
        expect(await desk().post('colors', '', { code: '#000000', name: 'x' }, merging)).toMatchObject({
          inserted: '0',
        });
    });
  });

  describe('PUT', () => {
    test('creates or replaces the row of its key', async () => {
      expect(await desk().put('makers', byKey(acme), { id: acme, name: 'Changed' })).toMatchObject({
        json: [{ id: acme, name: 'Changed' }],
        shown: 1,
        inserted: '0',
      });
      expect(await desk().put('makers', byKey(fresh), { id: fresh, name: 'New' }, minimal)).toMatchObject({
        shown: 1,
        inserted: '1',
      });
    });

    test('writes nothing when the body has another key', async () => {
      const answer = await desk().put(
        'makers',
        byKey(acme),
        { id: bolt, name: 'x' },
        {},
        'SELECT name FROM shop.makers',
      );
      expect(answer).toMatchObject({ shown: 0, after: [{ name: 'Acme' }, { name: 'Bolt' }] });
      expect(await error(() => desk().put('makers', byKey(acme), { name: 'x' }))).toMatchObject({
        code: 'PGRST115',
      });
    });

    test('accepts exactly the key as filters', async () => {
      const put = (relation: string, query: string) =>
        error(() => desk().put(relation, query, { a: 1, b: 1, id: acme }));
      for (const query of [
        '',
        'a=eq.1',
        'a=eq.1&b=gt.1',
        'a=eq.1&b=not.eq.1',
        'a=eq.1&b=eq.1&c=eq.x',
        'a=eq.1&a=eq.1',
      ])
        expect(await put('pairs', query)).toMatchObject({ status: 405, code: 'PGRST105' });
      expect(await put('keyless', 'a=eq.1')).toMatchObject({ code: 'PGRST105' });
      expect(await put('pairs', 'a=eq.1&b=eq.1&limit=1')).toMatchObject({ status: 400, code: 'PGRST114' });
      expect(
        await error(() =>
          desk().put('pairs', 'a=eq.1&b=eq.1', [
            { a: 1, b: 1 },
            { a: 1, b: 1 },
          ]),
        ),
      ).toMatchObject({
        code: 'PGRST102',
      });
    });
  });

  describe('PATCH', () => {
    test('changes filtered rows, converting in both', async () => {
      const query = 'color=eq.%230000ff&select=id,color';
      expect(await desk().patch('items', query, { color: '#00ff00' })).toMatchObject({
        json: [{ id: 2, color: '#00ff00' }],
        shown: 1,
      });
      expect(await desk().patch('items', 'id=eq.99', { color: 'nonsense' })).toMatchObject({
        json: [],
        shown: 0,
      });
    });

    test('without keys changes nothing', async () => {
      for (const body of [{}, [], [{}]])
        expect(await desk().patch('items', 'id=eq.1&select=id,label', body)).toMatchObject({
          json: [],
          shown: 0,
        });
      expect(await desk().patch('items', 'id=eq.1', {}, minimal)).toMatchObject({ body: null, shown: 0 });
    });

    test('fills gaps with defaults', async () => {
      const query = 'id=eq.1&columns=name,sold_at,color&select=name,color,sold_at->seconds';
      expect((await desk().patch('items', query, { color: '#00ff00' }, filling)).json).toEqual([
        { name: 'thing', color: '#00ff00', seconds: 1577836800 },
      ]);
    });

    test('evaluates defaults for each row', async () => {
      const query = 'code=in.(AB,AC)&columns=turn&select=code,turn';
      expect(await desk().patch('codes', query, {}, filling)).toMatchObject({ shown: 2 });
    });

    test('accepts one object', async () => {
      expect(
        await error(() => desk().patch('items', 'id=eq.1', [{ name: 'a' }, { name: 'b' }])),
      ).toMatchObject({
        status: 400,
        code: 'PGRST102',
      });
    });

    test('returns rows that no longer match the filters, with embeddings', async () => {
      const query = 'name=eq.crate&select=name,makers(name),details(note)';
      expect((await desk().patch('items', query, { name: 'box', maker: bolt })).json).toEqual([
        { name: 'box', makers: { name: 'Bolt' }, details: { note: 'empty' } },
      ]);
    });

    test('counts written rows, whatever is returned', async () => {
      const query = 'id=lt.5&select=id,makers!inner(name)&makers.name=eq.Bolt';
      expect(await desk().patch('items', query, { is_old: true })).toMatchObject({
        json: [{ id: 2 }],
        shown: 4,
      });
    });
  });

  describe('DELETE', () => {
    test('deletes filtered rows, and returns them', async () => {
      const answer = await desk().delete(
        'items',
        'or=(color.eq.%230000ff,color.is.null)&select=id,color&order=id',
        { prefer: { return: 'representation' } },
        'SELECT id FROM shop.items ORDER BY id',
      );
      expect(answer).toMatchObject({
        json: [
          { id: 2, color: '#0000ff' },
          { id: 4, color: '' },
        ],
        shown: 2,
        after: [{ id: 1 }, { id: 3 }],
      });
    });
  });

  test('rejects writes without filters or with limits', async () => {
    const all = [
      () => desk().patch('keyless', '', { b: 'x' }),
      () => desk().delete('keyless', 'select=a&order=a'),
    ];
    for (const attempt of all)
      expect(await error(attempt)).toMatchObject({
        status: 400,
        code: 'STEP001',
        hint: expect.stringMatching(/Prefer: unfiltered=allow.*gateway\.allowUnfiltered/) as unknown,
      });
    expect(await error(() => desk().delete('keyless', 'a=eq.1&limit=1'))).toMatchObject({
      code: 'PGRST114',
    });
    expect(await desk().delete('pairs', '', { prefer: { unfiltered: 'allow' } })).toMatchObject({ shown: 2 });
    expect(
      await desk().patch('pairs', '', { c: null }, { settings: { allowsUnfiltered: true } }),
    ).toMatchObject({
      shown: 2,
    });
  });
}
