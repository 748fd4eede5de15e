import { describe, expect, test, beforeAll } from 'vitest';
import { readCatalog } from '../../../../core/gateway/catalog/read-catalog.ts';
import { describeOnDatabases } from '../../../harness/databases.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { ShopGateway, shopSql } from './shop.ts';
import { testCalls, testDomains } from './calls-and-domains.cases.ts';
import { testEmbedding } from './embedding.cases.ts';
import { testWrites } from './writes.cases.ts';

const acme = 'hGxH//ZLROY4pk93EAAAAQ==';
const csv = { format: { kind: 'csv' } } as const;
const oneObject = { format: { kind: 'object', stripsNulls: false } } as const;

function testReads(desk: () => ShopGateway): void {
  describe('select', () => {
    test('represents columns by their response conversion, named or not', async () => {
      expect(await desk().rows('makers', 'id=eq.hGxH%2F%2FZLROY4pk93EAAAAQ%3D%3D')).toEqual([
        { id: acme, name: 'Acme', parent: null },
      ]);
      expect(await desk().rows('item_colors', 'select=shade:color,*&id=eq.2')).toEqual([
        { shade: '#0000ff', id: 2, name: 'bolt, "small"', color: '#0000ff' },
      ]);
      expect(await desk().rows('items', 'select=color,sold_at&id=eq.4')).toEqual([
        { color: '', sold_at: { seconds: 1577836800, zone: 'UTC' } },
      ]);
    });

    test('leaves other columns to PostgreSQL, with all their digits', async () => {
      const { body } = await desk().read('items', 'select=big,price,data,tags,place&id=eq.1');
      expect(body).toBe(
        '[{"big":9007199254740993,"price":1234567890.12,"data":{"a": {"b": [1, 2.50, "x"]}},' +
          '"tags":["heavy","a,b"],"place":{"street":"Main, street","number":5}}]',
      );
      expect(await desk().rows('order_items', 'order=amount')).toEqual([
        { order: 1, item: 1, amount: 2 },
        { order: 2, item: 2, amount: 5 },
        { order: 1, item: 2, amount: 100 },
      ]);
    });

    test('supports paths into JSON, arrays, composite and represented values', async () => {
      expect(
        await desk().rows(
          'items',
          'select=data->a->b->-1,first:data->a->b->>0,tags->>1,place->number,sold_at->seconds,z:sold_at->>zone&id=eq.1',
        ),
      ).toEqual([{ b: 'x', first: '1', tags: 'a,b', number: 5, seconds: 1577836800, z: 'UTC' }]);
    });

    test('casts to known types, including represented columns', async () => {
      expect(await desk().rows('items', 'select=id::text,n:price::int,color::text&id=eq.2')).toEqual([
        { id: '2', n: 0, color: '"#0000ff"' },
      ]);
      expect(() => desk().planRead('items', 'select=id::nonsense')).toThrow(
        expect.objectContaining({ code: '42704', status: 400 }),
      );
    });

    test('supports computed columns and unusual names', async () => {
      expect(await desk().rows('items', 'select=label&label=eq.ANVIL')).toEqual([{ label: 'ANVIL' }]);
      const odd = 'Odd "name"';
      expect(await desk().rows(odd, 'select="a.b","c,d"&"a.b"=eq.1')).toEqual([{ 'a.b': 1, 'c,d': 'x' }]);
      expect(await desk().rows(odd, 'select="x\\"y":"a.b"&order="c,d"')).toEqual([{ 'x"y': 1 }]);
    });

    test('rejects unknown columns with PostgreSQL’s message', async () => {
      await expect(desk().read('items', 'select=nonsense')).rejects.toMatchObject({
        code: '42703',
        message: 'column items.nonsense does not exist',
      });
    });

    test('has aggregates only where they are allowed', async () => {
      expect(() => desk().planRead('items', 'select=count()')).toThrow(
        expect.objectContaining({ code: 'PGRST123', status: 400 }),
      );
      const settings = { settings: { allowsAggregates: true } };
      const query = 'select=is_old,count(),total:big.sum()::text,color.max()&order=is_old.desc.nullslast';
      expect(await desk().rows('items', query, settings)).toEqual([
        { is_old: true, count: 1, total: '9007199254740993', max: '#000000' },
        { is_old: false, count: 2, total: '6', max: '#0000ff' },
        { is_old: null, count: 1, total: null, max: '#00ff00' },
      ]);
      expect(await desk().rows('items', 'select=count(),makers(name)', settings)).toHaveLength(3);
      expect(
        await desk().rows('codes', 'select=data->>k,count()&order=data->>k.desc&limit=1', settings),
      ).toEqual([{ k: 'y', count: 1 }]);
      const counted = { ...settings, prefer: { count: 'exact' } } as const;
      expect(await desk().read('codes', 'select=data->>k,count()&limit=1', counted)).toMatchObject({
        total: '2',
      });
    });
  });

  describe('order and limits', () => {
    test('sort stored values, nulls as requested', async () => {
      const ids = async (query: string) =>
        ((await desk().rows('items', `select=id&${query}`)) as { id: number }[]).map(({ id }) => id);
      expect(await ids('order=color')).toEqual([1, 2, 3, 4]);
      expect(await ids('order=color.desc.nullslast,id')).toEqual([3, 2, 1, 4]);
      expect(await ids('order=data->a->b->0.desc.nullslast,id.desc')).toEqual([4, 1, 3, 2]);
      expect(await ids('order=sold_at->>seconds,label.desc&limit=2&offset=1')).toEqual([3, 2]);
      expect(await ids('order=id&limit=0')).toEqual([]);
    });

    test('count exactly, by estimate, or by plan', async () => {
      const counted = (query: string, count: 'exact' | 'planned' | 'estimated', maxRows?: number) =>
        desk().read('dozens', query, { prefer: { count }, settings: { maxRows } });
      expect(await counted('limit=5', 'exact')).toMatchObject({ shown: 5, total: '12' });
      expect(await counted('number=gt.3&offset=2', 'exact')).toMatchObject({ shown: 7, total: '9' });
      expect(await counted('', 'exact')).toMatchObject({ shown: 12, total: '12' });
      expect(await counted('', 'exact', 10)).toMatchObject({ shown: 10, total: '12' });
      expect(await counted('', 'estimated', 10)).toMatchObject({ shown: 10, total: '11' });
      expect(await counted('limit=3', 'estimated', 20)).toMatchObject({ shown: 3, total: '12' });
      expect(await counted('limit=3', 'planned')).toMatchObject({ shown: 3, total: null });
      expect(await desk().read('dozens', 'limit=3')).toMatchObject({ shown: 3, total: null });
    });

    test('use the database’s planner', async () => {
      const plan = desk().planRead('dozens', 'number=gt.3', { prefer: { count: 'planned' } });
      const [result] = await desk().database.transact({ isReadOnly: true, statements: [plan.explain!] });
      const [explained] = JSON.parse(result!.rows[0]![0]!) as { Plan: { 'Plan Rows': number } }[];
      expect(explained!.Plan['Plan Rows']).toBeGreaterThan(0);
      expect(desk().planRead('dozens', '', { prefer: { count: 'exact' } }).explain).toBeUndefined();
    });

    test('count without a body on HEAD', async () => {
      expect(await desk().head('dozens', 'limit=3', { prefer: { count: 'exact' } })).toMatchObject({
        body: null,
        shown: 3,
        total: '12',
      });
    });
  });

  describe('formats', () => {
    test('one object, and none', async () => {
      expect(await desk().rows('colors', 'name=eq.blue', oneObject)).toEqual({
        code: '#0000ff',
        name: 'blue',
      });
      expect(await desk().read('colors', 'name=eq.none', oneObject)).toMatchObject({
        body: 'null',
        shown: 0,
      });
      expect(await desk().read('colors', '', oneObject)).toMatchObject({ shown: 3 });
    });

    test('without nulls', async () => {
      const format = { kind: 'array', stripsNulls: true } as const;
      expect(await desk().rows('items', 'select=id,price,data&id=in.(3,4)&order=id', { format })).toEqual([
        { id: 3 },
        { id: 4, price: 7, data: { a: { b: [3] } } },
      ]);
    });

    test('CSV with plain cells, including represented columns', async () => {
      const query = 'select=id,name,maker,color,sold_at->seconds,tags,is_old,data,place&order=id&id=lt.4';
      expect((await desk().read('items', query, csv)).body).toBe(
        [
          'id,name,maker,color,seconds,tags,is_old,data,place',
          `1,anvil,${acme},#000000,1577836800,"{heavy,""a,b""}",t,"{""a"": {""b"": [1, 2.50, ""x""]}}","(""Main, street"",5)"`,
          '2,"bolt, ""small""",hGxH//ZLROY4pk93EAAAAg==,#0000ff,1577836800,{},f,"{""a"": null}",',
          `3,crate,${acme},#00ff00,1577836800,,,,`,
        ].join('\n'),
      );
      expect((await desk().read('items', 'select=color&id=eq.4', csv)).body).toBe('color\n""');
      expect((await desk().read('keyless', '', csv)).body).toBe('a,b');
      expect((await desk().read('items', 'select=makers()&limit=1', csv)).shown).toBe(1);
      expect((await desk().read('colors', 'select=code,code,name&limit=1', csv)).body).toBe(
        'code,code,name\n#000000,#000000,black',
      );
    });
  });
}

const acmeFilter = 'hGxH//ZLROY4pk93EAAAAQ==';
const bolt = 'hGxH//ZLROY4pk93EAAAAg==';

function testFilters(desk: () => ShopGateway): void {
  const ids = async (query: string, relation = 'items'): Promise<unknown> =>
    ((await desk().rows(relation, `${query}&select=id&order=id`)) as { id: unknown }[]).map(({ id }) => id);

  describe('filters', () => {
    test.each([
      ['id=eq.2', [2]],
      ['id=neq.2', [1, 3, 4]],
      ['id=gt.2&id=lt.4', [3]],
      ['id=gte.3', [3, 4]],
      ['id=lte.1', [1]],
      ['id=not.eq.2', [1, 3, 4]],
      ['name=like.*t, "s*', [2]],
      ['name=ilike.A*', [1]],
      ['name=match.^[ab]', [1, 2]],
      ['name=imatch.^C', [3]],
      ['name=like(any).{a*,c*}', [1, 3]],
      ['name=like(all).{*a*,*n*}', [1]],
      ['name=in.(anvil,"bolt, \\"small\\"")', [1, 2]],
      ['id=in.()', []],
      ['id=not.in.()', [1, 2, 3, 4]],
      ['id=not.in.(1,2)', [3, 4]],
      ['id=eq(any).{1,4}', [1, 4]],
      ['id=gt(all).{1,2}', [3, 4]],
      ['is_old=is.true', [1]],
      ['is_old=not.is.null', [1, 2, 4]],
      ['is_old=is.not_null', [1, 2, 4]],
      ['is_old=is.unknown', [3]],
      ['is_old=isdistinct.true', [2, 3, 4]],
      ['tags=cs.{heavy}', [1]],
      ['tags=cd.{light,dark}', [2, 4]],
      ['tags=ov.{heavy,light}', [1, 4]],
      ['span=sl.[5,9)', [1]],
      ['span=sr.[1,5)', [2]],
      ['span=nxr.[1,5)', [1]],
      ['span=nxl.[5,9)', [2]],
      ['span=adj.[5,9)', [1]],
      ['words=fts.anvil', [1]],
      ['words=plfts(simple).small bolt', [2]],
      ['name=phfts(english).small', [2]],
      ['name=wfts(simple).crate or dust', [3, 4]],
      ['data->a->b->>0=eq.3', [4]],
      ['data->a->b=cs.[1]', [1]],
      ['place->>street=like.Main*', [1]],
      ['sold_at->>seconds=eq.1577836800&id=lt.3', [1, 2]],
      ['or=(id.eq.1,and(id.gt.2,not.or(name.eq.dust,is_old.is.true)))', [1, 3]],
      ['not.and=(id.gt.1,id.lt.4)', [1, 4]],
    ])('%s', async (query, expected) => {
      expect(await ids(encodeURI(query))).toEqual(expected);
    });

    test('of unknown operators and types are rejected by PostgreSQL', async () => {
      await expect(desk().read('items', 'id=eq.x')).rejects.toMatchObject({ code: '22P02' });
      await expect(desk().read('items', 'id=like.1')).rejects.toMatchObject({ code: '42883' });
    });
  });

  describe('filters of represented columns', () => {
    test.each([
      ['color=eq.%230000ff', [2]],
      ['color=neq.%230000ff', [1, 3]],
      ['color=gt.%23000001', [2, 3]],
      ['color=not.lte.%23000001', [2, 3]],
      ['color=in.(%23000000,%2300ff00)', [1, 3]],
      ['color=in.()', []],
      ['color=not.in.()', [1, 2, 3, 4]],
      ['color=eq(any).{%23000000,%2300ff00}', [1, 3]],
      ['color=gte(all).{%230000ff,%2300ff00}', [3]],
      ['color=isdistinct.%230000ff', [1, 3, 4]],
      ['color=is.null', [4]],
      ['color=not.is.null', [1, 2, 3]],
      ['or=(color.eq.%23000000,color.is.null)', [1, 4]],
      [`maker=eq.${encodeURIComponent(acmeFilter)}`, [1, 3]],
      [`maker=in.(${encodeURIComponent(`"${acmeFilter}","${bolt}"`)})`, [1, 2, 3]],
    ])('%s', async (query, expected) => {
      expect(await ids(query)).toEqual(expected);
    });

    test('without a filter conversion accept what the base type reads', async () => {
      expect(await ids('sold_at=eq.2020-01-01T00:00:00Z')).toEqual([1, 2, 3, 4]);
    });

    test('leave patterns unchanged: they are not values of the domain', async () => {
      const codes = async (query: string) => desk().rows('codes', `select=code&order=code&${query}`);
      expect(await codes('code=like.a*')).toEqual([{ code: 'AB' }, { code: 'AC' }]);
      expect(await codes('code=match.^a&code=eq.AB')).toEqual([{ code: 'AB' }]);
      expect(await codes('code=like(any).{*b,b*}')).toEqual([{ code: 'AB' }, { code: 'BC' }]);
      await expect(desk().read('items', 'color=like.%2300*')).rejects.toMatchObject({ code: '42883' });
    });

    test('apply to views', async () => {
      expect(await ids('color=eq.%230000ff', 'item_colors')).toEqual([2]);
    });

    test('fail with the message of the conversion', async () => {
      await expect(desk().read('items', 'maker=eq.***')).rejects.toMatchObject({ code: '22023' });
    });

    test('leave the column unchanged, so that indexes work, even with VOLATILE conversions', async () => {
      const makers = encodeURIComponent(acmeFilter);
      for (const [query, index] of [
        [`maker=eq.${makers}`, 'items_by_maker'],
        [`maker=in.("${makers}")`, 'items_by_maker'],
        [`maker=eq(any).{"${makers}"}`, 'items_by_maker'],
        ['color=eq.%230000ff', 'items_by_color'],
        ['color=gt.%230000ff', 'items_by_color'],
        ['color=in.(%230000ff,%23000000)', 'items_by_color'],
      ] as const) {
        const explained = await desk().explain(desk().planRead('items', `select=id&${query}`));
        expect(explained).toMatch(new RegExp(`${index}[^]*Index Cond: \\(\\(?items\\.(maker|color)`));
      }
    });

    test('bind values, and call the conversion by its name', () => {
      const { text, values } = desk().planRead('items', 'color=eq.%230000ff&maker=eq.x').main;
      expect(text).toContain(
        'WHERE ("items"."color" = (SELECT reps.color_text($1::text))) AND ("items"."maker" = reps.uuid_text($2::text))',
      );
      expect(values).toEqual(['#0000ff', 'x']);
    });
  });

  test('only quoted names of a request become SQL text', async () => {
    const evil = encodeURIComponent("x'; DROP TABLE keyless");
    for (const query of [
      `name=eq.${evil}`,
      `data->>${evil}=eq.1`,
      `name=fts.${evil}`,
      `name=in.(${evil})`,
      `name=like(any).{${evil}}`,
      `select=x:data->>${evil}&order=data->>${evil}`,
    ]) {
      const { text, values } = desk().planRead('items', query).main;
      expect(text.replaceAll(/"[^"]*"/g, '')).not.toContain('DROP');
      expect(values.join()).toContain('DROP');
    }
    const { text } = desk().planRead('items', `select="${evil}\\"","a"`).main;
    expect(text).toContain(`"items"."x'; DROP TABLE keyless"""`);
    expect(await ids(`name=eq.${evil}`)).toEqual([]);
  });
}

describeOnDatabases('plans', (under) => {
  let desk: ShopGateway;

  beforeAll(async () => {
    const { database } = under();
    await database.runScript(shopSql);
    const scope = { schemas: ['shop'], extraSearchPath: [], clock: new FakeClock() };
    desk = new ShopGateway(database, await readCatalog(database, scope));
  }, 60_000);

  for (const define of [testReads, testFilters, testEmbedding, testWrites, testCalls, testDomains])
    define(() => desk);
});
