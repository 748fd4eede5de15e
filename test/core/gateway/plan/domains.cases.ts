import { describe, expect, test } from 'vitest';
import type { ShopGateway } from './shop.ts';

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
