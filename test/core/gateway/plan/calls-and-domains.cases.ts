import { describe, expect, test } from 'vitest';
import type { ShopGateway } from './shop.ts';

const acme = 'hGxH//ZLROY4pk93EAAAAQ==';
const coded = encodeURIComponent(acme);

export function testCalls(desk: () => ShopGateway): void {
  const error = async (attempt: () => Promise<unknown>): Promise<unknown> => {
    try {
      await attempt();
    } catch (cause) {
      return cause;
    }
    return undefined;
  };
  const got = async (name: string, query: string): Promise<unknown> => (await desk().get(name, query)).json;
  const called = async (name: string, body: unknown, query = ''): Promise<unknown> =>
    (await desk().call(name, query, body)).json;

  describe('calls', () => {
    test('return a scalar, several, rows, one row, or nothing', async () => {
      expect(await called('add', { a: 1, b: 2 })).toBe(3);
      expect(await got('add', 'a=1&b=2')).toBe(3);
      expect(await got('numbers', 'upto=3')).toEqual([1, 2, 3]);
      expect(await got('rows_of', 'upto=2')).toEqual([
        { n: 1, word: 'w1' },
        { n: 2, word: 'w2' },
      ]);
      expect(await got('both_ways', 'a=2')).toEqual({ a: 2, b: 4 });
      const answer = await desk().call('nothing', '', {}, {}, 'SELECT b FROM shop.keyless');
      expect(answer).toMatchObject({ body: null, after: [{ b: 'called' }] });
    });

    test('return values that filters and orders address by the function’s name', async () => {
      expect(await got('numbers', 'upto=5&numbers=gt.2&order=numbers.desc&limit=2')).toEqual([5, 4]);
      expect(await called('given', { given: 7 })).toBe(7);
    });

    test('are resolved by the names of their arguments', async () => {
      expect(await called('greet', { name: 'Ada' })).toBe('Hello, Ada');
      expect(await called('greet', { name: 'Ada', greeting: 'Hi' })).toBe('Hi, Ada');
      expect(await called('overload', { a: 1 })).toBe('one');
      expect(await got('overload', 'a=1&b=2')).toBe('two');
      expect(await called('greet', { name: 'Ada', greeting: 'Hi' }, 'columns=name')).toBe('Hello, Ada');
    });

    test('are rejected when none or several match', async () => {
      expect(await error(() => desk().call('add', '', { a: 1 }))).toMatchObject({
        status: 404,
        code: 'PGRST202',
        message: 'Could not find the function shop.add(a) in the schema cache',
        hint: 'Perhaps you meant to call shop.add(a => integer, b => integer)',
      });
      expect(await error(() => desk().get('gret', 'name=x'))).toMatchObject({
        code: 'PGRST202',
        hint: 'Perhaps you meant to call shop.greet',
      });
      expect(await error(() => desk().get('unclear', 'a=1'))).toMatchObject({
        status: 300,
        code: 'PGRST203',
      });
    });

    test('collect VARIADIC arguments; otherwise the last one wins', async () => {
      expect(await got('total', 'numbers=1&numbers=2&numbers=3')).toBe(6);
      expect(await called('total', { numbers: [4, 5] })).toBe(9);
      expect(await got('add', 'a=1&b=2&b=7')).toBe(8);
    });

    test('pass the whole body to a single unnamed parameter', async () => {
      expect(await called('whole', { a: [1] })).toEqual([1]);
      expect(await desk().callWith('shout', '', { mediaType: 'text', text: 'hey' })).toMatchObject({
        json: 'HEY',
      });
      expect(await error(() => desk().callWith('add', '', { mediaType: 'text', text: 'x' }))).toMatchObject({
        code: 'PGRST202',
      });
      expect(
        await called('add', [
          { a: 1, b: 2 },
          { a: 5, b: 6 },
        ]),
      ).toBe(3);
    });

    test('convert arguments and results of represented domains', async () => {
      expect(await got('items_of', `wanted=${coded}&select=id,color&order=id`)).toEqual([
        { id: 1, color: '#000000' },
        { id: 3, color: '#00ff00' },
      ]);
      expect(await called('items_of', { wanted: acme }, 'select=id&order=id')).toEqual([
        { id: 1 },
        { id: 3 },
      ]);
      expect(await got('darker', 'shade=%230000ff')).toBe('#00007f');
      expect(await called('darker', { shade: '#0000ff' })).toBe('#00007f');
    });

    test('convert each value of a VARIADIC parameter', async () => {
      expect(await got('mixed', 'colors=%230000ff&colors=%23000010')).toEqual([255, 16]);
      expect(await called('mixed', { colors: ['#0000ff', '#000010'] })).toEqual([255, 16]);
      expect(await called('mixed', { colors: ['#0000ff', null] })).toEqual([255, null]);
      expect(await called('mixed', { colors: null })).toBeNull();
      // Without a conversion for the array, that of the base type is used.
      expect(await got('shades', 'codes=2020-01-01&codes=2021-01-01')).toBe(2);
      expect(await called('shades', { codes: [1, 2, 3] })).toBe(3);
      await expect(desk().call('mixed', '', { colors: 'x' })).rejects.toMatchObject({ code: '22023' });
    });

    test('represent columns of rows without a relation, and can filter them', async () => {
      expect(await got('palette', 'upto=2')).toEqual([
        { place: 1, shade: '#000010', data: { n: 1 } },
        { place: 2, shade: '#000020', data: { n: 2 } },
      ]);
      expect(
        await got('palette', 'upto=3&select=tone:shade,data->n&shade=gt.%23000010&order=shade.desc'),
      ).toEqual([
        { tone: '#000030', n: 3 },
        { tone: '#000020', n: 2 },
      ]);
      const counted = { prefer: { count: 'exact' } } as const;
      expect(await desk().get('palette', 'upto=3&select=shade&limit=1', counted)).toMatchObject({
        json: [{ shade: '#000010' }],
        total: '3',
      });
      const csv = { format: { kind: 'csv' } } as const;
      expect((await desk().get('palette', 'upto=1', csv)).body).toBe(
        'place,shade,data\n1,#000010,"{""n"": 1}"',
      );
      expect(await got('swatch', 'label=blue')).toEqual({ shade: '#0000ff', label: 'blue' });
    });

    test('return null for a null row, but not for a row of nulls', async () => {
      expect(await desk().get('one_item', 'id=99')).toMatchObject({ body: 'null', shown: 0 });
      expect(await got('one_item', 'id=99&select=id,color,siblings(id)')).toBeNull();
      expect(await got('swatch', 'label=')).toBeNull();
      expect(await got('nulls', '')).toEqual({ a: null, shade: '' });
    });

    test('return rows of a relation as that relation does: filtered, embedded, counted', async () => {
      const query = `wanted=${coded}&select=id,makers(name),label,siblings(id)&color=gt.%23000001`;
      expect(await got('items_of', query)).toEqual([
        { id: 3, makers: { name: 'Acme' }, label: 'CRATE', siblings: [{ id: 1 }] },
      ]);
      expect(await got('one_item', 'id=2&select=color')).toEqual({ color: '#0000ff' });
      const count = { prefer: { count: 'exact' } } as const;
      expect(
        await desk().get('items_of', `wanted=${coded}&select=label&limit=1&order=id`, count),
      ).toMatchObject({
        json: [{ label: 'ANVIL' }],
        total: '2',
      });
      expect(await desk().get('rows_of', 'upto=5&n=gt.1&limit=2', count)).toMatchObject({
        shown: 2,
        total: '4',
      });
      expect(await desk().get('numbers', 'upto=5&limit=2&offset=1', count)).toMatchObject({
        json: [2, 3],
        total: '5',
      });
    });

    test('treat a filter as an argument when nothing else fits', async () => {
      expect(await got('greet', 'name=eq.x')).toBe('Hello, eq.x');
      expect(await got('greet', 'name=Ada&greeting=not.a')).toBe('not.a, Ada');
      expect(await got('one_item', 'id=2&name=like.b*&select=id')).toEqual({ id: 2 });
    });

    test('reject embedding in rows without a relation', async () => {
      expect(await error(() => desk().get('rows_of', 'upto=1&select=n,items(id)'))).toMatchObject({
        status: 400,
        code: 'PGRST200',
      });
    });

    test('are read-only unless they are VOLATILE and posted', async () => {
      await expect(desk().get('nothing', '')).rejects.toMatchObject({ code: '25006' });
    });

    test('support CSV, also for rows whose columns only the database knows', async () => {
      const csv = { format: { kind: 'csv' } } as const;
      expect((await desk().get('rows_of', 'upto=2', csv)).body).toBe('n,word\n1,w1\n2,w2');
      expect((await desk().get('rows_of', 'upto=1&select=word', csv)).body).toBe('word\nw1');
      expect((await desk().get('numbers', 'upto=2', csv)).body).toBe('numbers\n1\n2');
      expect((await desk().get('items_of', `wanted=${coded}&select=color&order=id`, csv)).body).toBe(
        'color\n#000000\n#00ff00',
      );
    });
  });
}

const withAggregates = { settings: { allowsAggregates: true } };

/** Domains for which PostgreSQL itself, or a plain table, gives no help. */
export function testDomains(desk: () => ShopGateway): void {
  const rows = (relation: string, query: string): Promise<unknown> => desk().rows(relation, query);

  describe('domains over an enum', () => {
    test.each([
      ['mood=eq.GLAD', ['GLAD']],
      ['mood=neq.GLAD', ['SAD', 'FINE']],
      ['mood=gt.SAD', ['FINE', 'GLAD']],
      ['mood=not.lte.SAD', ['FINE', 'GLAD']],
      ['mood=in.(SAD,GLAD)', ['SAD', 'GLAD']],
      ['mood=in.()', []],
      ['mood=eq(any).{SAD,FINE}', ['SAD', 'FINE']],
      ['mood=isdistinct.SAD', ['FINE', 'GLAD']],
      ['or=(mood.eq.SAD,quiet.is.null)', ['SAD', 'GLAD']],
      ['quiet=eq.glad', ['FINE']],
      ['quiet=in.(sad,glad)', ['SAD', 'FINE']],
      ['quiet=isdistinct.sad', ['FINE', 'GLAD']],
      ['opposite=eq.GLAD', ['SAD']],
    ])('are filtered: %s', async (query, expected) => {
      expect(await rows('moods', `select=mood&order=mood&${query}`)).toEqual(
        expected.map((mood) => ({ mood })),
      );
    });

    test('are filtered by their index', async () => {
      const explained = await desk().explain(desk().planRead('moods', 'select=quiet&mood=eq.SAD'));
      expect(explained).toMatch(/moods_pkey[^]*Index Cond: \(+moods\.mood/);
    });

    test('are filtered in rows of functions', async () => {
      expect((await desk().get('all_moods', 'mood=gte.FINE')).json).toEqual([
        { mood: 'FINE' },
        { mood: 'GLAD' },
      ]);
    });

    test('identify the row of a PUT, and other writes', async () => {
      const put = await desk().put('moods', 'mood=eq.SAD', { mood: 'Sad', quiet: 'fine' });
      expect(put.json).toEqual([{ mood: 'SAD', quiet: 'fine' }]);
      expect((await desk().patch('moods', 'quiet=eq.glad', { mood: 'FINE' })).json).toEqual([
        { mood: 'FINE', quiet: 'glad' },
      ]);
      expect((await desk().delete('moods', 'mood=eq.GLAD')).shown).toBe(1);
    });

    test('have a minimum and a maximum', async () => {
      const query = 'select=mood.min(),top:mood.max(),quiet.max(),count()';
      expect(await desk().rows('moods', query, withAggregates)).toEqual([
        { min: 'SAD', top: 'GLAD', max: 'glad', count: 3 },
      ]);
      expect(await desk().rows('moods', 'select=mood,quiet.max()&order=mood', withAggregates)).toEqual([
        { mood: 'SAD', max: 'sad' },
        { mood: 'FINE', max: 'glad' },
        { mood: 'GLAD', max: null },
      ]);
    });
  });

  describe('computed columns of a domain', () => {
    test('are represented, under any name, with a cast and in CSV', async () => {
      expect(await rows('items', 'select=id,half,h:half,text:half::text&id=in.(2,4)&order=id')).toEqual([
        { id: 2, half: '#00007f', h: '#00007f', text: '"#00007f"' },
        { id: 4, half: '', h: '', text: '""' },
      ]);
      const csv = await desk().read('items', 'select=id,half&id=eq.2', { format: { kind: 'csv' } });
      expect(csv.body).toBe('id,half\n2,#00007f');
    });

    test('are filtered and ordered', async () => {
      expect(await rows('items', 'select=id&half=eq.%2300007f')).toEqual([{ id: 2 }]);
      expect(await rows('items', 'select=id&half=in.(%23000000,%23007f80)&order=half.desc')).toEqual([
        { id: 3 },
        { id: 1 },
      ]);
    });

    test('are represented in embeddings, written rows and rows of functions', async () => {
      expect(await rows('makers', 'select=name,items(half)&items.half=gt.%23000000&order=name')).toEqual([
        { name: 'Acme', items: [{ half: '#007f80' }] },
        { name: 'Bolt', items: [{ half: '#00007f' }] },
      ]);
      expect((await desk().post('items', 'select=half', { color: '#0000ff' })).json).toEqual([
        { half: '#00007f' },
      ]);
      expect((await desk().get('one_item', 'id=2&select=half')).json).toEqual({ half: '#00007f' });
    });

    test('have a minimum and a maximum, and aggregate', async () => {
      expect(await desk().rows('items', 'select=half.max()', withAggregates)).toEqual([{ max: '#007f80' }]);
      const gathered = await desk().rows(
        'items',
        'select=half,count()&half=gt.%23000000&order=half',
        withAggregates,
      );
      expect(gathered).toEqual([
        { half: '#00007f', count: 1 },
        { half: '#007f80', count: 1 },
      ]);
    });
  });
}
