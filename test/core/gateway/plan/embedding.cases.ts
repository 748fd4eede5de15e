import { describe, expect, test } from 'vitest';
import type { ShopGateway } from './shop.ts';

const acme = 'hGxH//ZLROY4pk93EAAAAQ==';
const bolt = 'hGxH//ZLROY4pk93EAAAAg==';

export function testEmbedding(desk: () => ShopGateway): void {
  const rows = (relation: string, query: string): Promise<unknown> => desk().rows(relation, query);
  const error = (relation: string, query: string): unknown => {
    try {
      desk().planRead(relation, query);
    } catch (cause) {
      return cause;
    }
    return undefined;
  };

  describe('embedding', () => {
    test('to one, through a represented key, representing each level by its own columns', async () => {
      expect(await rows('items', 'select=id,makers(*)&order=id&id=gte.2')).toEqual([
        { id: 2, makers: { id: bolt, name: 'Bolt', parent: acme } },
        { id: 3, makers: { id: acme, name: 'Acme', parent: null } },
        { id: 4, makers: null },
      ]);
    });

    test('to one by column and by constraint, represented and filtered as well', async () => {
      const query = (target: string) =>
        `select=id,shade:${target}(code,name)&shade.code=eq.%230000ff&order=id&id=lt.3`;
      const expected = [
        { id: 1, shade: null },
        { id: 2, shade: { code: '#0000ff', name: 'blue' } },
      ];
      for (const target of ['color', 'items_color_fk', 'colors', 'colors!color'])
        expect(await rows('items', query(target))).toEqual(expected);
    });

    test('to many, with its own order and limit', async () => {
      expect(
        await rows(
          'makers',
          'select=name,items(id,color)&items.order=id.desc&items.limit=1&items.offset=1&order=name',
        ),
      ).toEqual([
        { name: 'Acme', items: [{ id: 1, color: '#000000' }] },
        { name: 'Bolt', items: [] },
      ]);
      expect(await rows('makers', 'select=name,items(*)&items.name=eq.crate&order=name')).toMatchObject([
        { name: 'Acme', items: [{ id: 3, maker: acme }] },
        { name: 'Bolt', items: [] },
      ]);
    });

    test('limits the rows of a level to those of a response', async () => {
      const settings = { settings: { maxRows: 1 } };
      expect(
        await desk().rows('makers', 'select=name,items(id)&items.order=id&order=name', settings),
      ).toEqual([{ name: 'Acme', items: [{ id: 1 }] }]);
    });

    test('one to one, from both ends', async () => {
      expect(await rows('items', 'select=id,details(note)&order=id&limit=2')).toEqual([
        { id: 1, details: { note: 'very heavy' } },
        { id: 2, details: null },
      ]);
      expect(await rows('details', 'select=note,items(color)&order=item&limit=1')).toEqual([
        { note: 'very heavy', items: { color: '#000000' } },
      ]);
    });

    test('many to many, by a junction', async () => {
      expect(await rows('orders', 'select=id,items(id,maker)&order=id&items.order=id')).toEqual([
        {
          id: 1,
          items: [
            { id: 1, maker: acme },
            { id: 2, maker: bolt },
          ],
        },
        { id: 2, items: [{ id: 2, maker: bolt }] },
      ]);
    });

    test('nests at any depth', async () => {
      const query =
        'select=id,order_items(amount,items(color,makers(name)))&id=eq.1&order_items.order=amount';
      expect(await rows('orders', query)).toEqual([
        {
          id: 1,
          order_items: [
            { amount: 2, items: { color: '#000000', makers: { name: 'Acme' } } },
            { amount: 100, items: { color: '#0000ff', makers: { name: 'Bolt' } } },
          ],
        },
      ]);
    });

    test('inner removes rows without a match', async () => {
      expect(await rows('makers', 'select=name,items!inner(id)&items.color=eq.%230000ff')).toEqual([
        { name: 'Bolt', items: [{ id: 2 }] },
      ]);
      expect(await rows('items', 'select=id,makers!inner(name)&makers.name=eq.Bolt')).toEqual([
        { id: 2, makers: { name: 'Bolt' } },
      ]);
      const counted = { prefer: { count: 'exact' } } as const;
      expect(
        await desk().read('items', 'select=id,makers!inner()&makers.name=eq.Acme&limit=1&order=id', counted),
      ).toMatchObject({ json: [{ id: 1 }], total: '2' });
    });

    test('null tests of resources', async () => {
      expect(await rows('items', 'select=id,makers()&makers=is.null')).toEqual([{ id: 4 }]);
      expect(await rows('makers', 'select=name,items()&items=not.is.null&items.name=eq.crate')).toEqual([
        { name: 'Acme' },
      ]);
      expect(
        await rows('items', 'select=id,makers(),details()&or=(makers.is.null,details.not.is.null)&order=id'),
      ).toEqual([{ id: 1 }, { id: 3 }, { id: 4 }]);
      expect(error('items', 'select=id,makers()&makers=eq.x')).toMatchObject({
        code: 'PGRST120',
        status: 400,
      });
      // A column of that name can still be filtered.
      expect(await rows('items', 'select=id,color(name)&color=eq.%230000ff')).toEqual([
        { id: 2, color: { name: 'blue' } },
      ]);
    });

    test('spreads into the level above', async () => {
      expect(await rows('items', 'select=id,...colors(shade:name,code)&id=gte.3&order=id')).toEqual([
        { id: 3, shade: 'green', code: '#00ff00' },
        { id: 4, shade: null, code: null },
      ]);
      expect(await rows('makers', 'select=name,...items(ids:id,color)&items.order=id&order=name')).toEqual([
        { name: 'Acme', ids: [1, 3], color: ['#000000', '#00ff00'] },
        { name: 'Bolt', ids: [2], color: ['#0000ff'] },
      ]);
      expect(
        await rows('order_items', 'select=amount,...items(id,...makers(maker:name))&order=amount&limit=1'),
      ).toEqual([{ amount: 2, id: 1, maker: 'Acme' }]);
      expect(await rows('items', 'select=id,...makers(*)&id=eq.1')).toEqual([
        { id: acme, name: 'Acme', parent: null },
      ]);
    });

    test('aggregates over all rows through the spread of one resource', async () => {
      const settings = { settings: { allowsAggregates: true } };
      const aggregated = (relation: string, query: string) => desk().rows(relation, query, settings);
      expect(await aggregated('items', 'select=...makers(maker:name.max(),makers:count())')).toEqual([
        { maker: 'Bolt', makers: 3 },
      ]);
      // Of each group of the level above, domains as represented.
      expect(
        await aggregated('items', 'select=is_old,...colors(code.max(),n:count())&order=is_old.nullslast'),
      ).toEqual([
        { is_old: false, max: '#0000ff', n: 1 },
        { is_old: true, max: '#000000', n: 1 },
        { is_old: null, max: '#00ff00', n: 1 },
      ]);
      const byMaker = await aggregated('items', 'select=...makers(name,...parent(ups:count())),n:count()');
      expect(new Set(byMaker as object[])).toEqual(
        new Set([
          { name: 'Acme', ups: 0, n: 2 },
          { name: 'Bolt', ups: 1, n: 1 },
          { name: null, ups: 0, n: 1 },
        ]),
      );
      // Up to the next one that is not spread.
      expect(
        await aggregated('orders', 'select=id,order_items(...items(most:price.max()::text))&order=id'),
      ).toEqual([
        { id: 1, order_items: [{ most: '1234567890.12' }] },
        { id: 2, order_items: [{ most: '0.10' }] },
      ]);
      expect(await aggregated('makers', 'select=name,...items(count())&order=name')).toEqual([
        { name: 'Acme', count: [2] },
        { name: 'Bolt', count: [1] },
      ]);
      const counted = { ...settings, prefer: { count: 'exact' } } as const;
      expect(await desk().read('items', 'select=...makers(count())&limit=1', counted)).toMatchObject({
        total: '1',
      });
      expect(error('items', 'select=...makers(name.max())')).toMatchObject({ code: 'PGRST123' });
    });

    test('orders by a to-one resource', async () => {
      expect(await rows('items', 'select=id,makers(id)&order=makers(name).desc.nullslast,id')).toMatchObject([
        { id: 2 },
        { id: 1 },
        { id: 3 },
        { id: 4 },
      ]);
      expect(error('makers', 'select=items(id)&order=items(id)')).toMatchObject({ code: 'PGRST118' });
      expect(error('makers', 'select=name&order=items(id)')).toMatchObject({ code: 'PGRST108' });
    });

    test('computed relationships', async () => {
      expect(await rows('items', 'select=id,siblings(id,color),first_maker(name)&order=id&limit=2')).toEqual([
        { id: 1, siblings: [{ id: 3, color: '#00ff00' }], first_maker: { name: 'Acme' } },
        { id: 2, siblings: [], first_maker: { name: 'Bolt' } },
      ]);
    });

    test('of a relation in itself', async () => {
      expect(await rows('makers', 'select=name,up:parent(name),down:makers(name)&order=name')).toEqual([
        { name: 'Acme', up: null, down: [{ name: 'Bolt' }] },
        { name: 'Bolt', up: { name: 'Acme' }, down: [] },
      ]);
      expect(await rows('makers', 'select=name,down:makers!parent(name)&order=name&limit=1')).toEqual([
        { name: 'Acme', down: [{ name: 'Bolt' }] },
      ]);
    });

    test('of a relation in itself by a junction, disambiguated by its target', async () => {
      expect(error('people', 'select=people(name)')).toMatchObject({
        code: 'PGRST201',
        hint: expect.stringContaining("'people!follows_whom_fk', 'people!follows_who_fk'") as unknown,
      });
      const query = 'select=follows:people!follows_whom_fk(name),by:people!follows_who_fk(name)&id=eq.1';
      expect(await rows('people', `${query}&follows.order=name`)).toEqual([
        { follows: [{ name: 'Bob' }, { name: 'Cyd' }], by: [{ name: 'Cyd' }] },
      ]);
    });

    test('from views, and by named junctions', async () => {
      expect(await rows('item_colors', 'select=name,colors(code)&id=eq.1')).toEqual([
        { name: 'anvil', colors: { code: '#000000' } },
      ]);
      expect(await rows('orders', 'select=items!order_items(id)&id=eq.2')).toEqual([{ items: [{ id: 2 }] }]);
    });

    test('in CSV and with aggregates', async () => {
      const csv = { format: { kind: 'csv' } } as const;
      expect((await desk().read('items', 'select=id,makers(name)&order=id&limit=1', csv)).body).toBe(
        'id,makers\n1,"{""name"":""Acme""}"',
      );
      const settings = { settings: { allowsAggregates: true } };
      expect(
        await desk().rows(
          'makers',
          'select=name,items(is_old,count())&items.order=is_old&order=name',
          settings,
        ),
      ).toEqual([
        {
          name: 'Acme',
          items: [
            { is_old: true, count: 1 },
            { is_old: null, count: 1 },
          ],
        },
        { name: 'Bolt', items: [{ is_old: false, count: 1 }] },
      ]);
    });
  });

  describe('relationships', () => {
    test('rejects unknown ones, with the nearest', () => {
      expect(error('items', 'select=maker_s(*)')).toMatchObject({
        status: 400,
        code: 'PGRST200',
        message: "Could not find a relationship between 'items' and 'maker_s' in the schema cache",
        hint: "Perhaps you meant 'makers' instead of 'maker_s'.",
      });
      expect(error('items', 'select=makers!nonsense(*)')).toMatchObject({
        code: 'PGRST200',
        details: expect.stringContaining("using the hint 'nonsense'") as unknown,
      });
    });

    test('rejects ambiguous ones, with all candidates', async () => {
      expect(error('orders', 'select=makers(*)')).toMatchObject({
        status: 300,
        code: 'PGRST201',
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'orders with makers',
            relationship: 'orders_billing_fk using orders(billing) and makers(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'orders with makers',
            relationship: 'orders_shipping_fk using orders(shipping) and makers(id)',
          },
        ],
        hint: expect.stringContaining("'makers!orders_billing_fk', 'makers!orders_shipping_fk'") as unknown,
      });
      expect(
        await rows('orders', 'select=to:makers!orders_shipping_fk(name),from:makers!billing(name)&id=eq.1'),
      ).toEqual([{ to: { name: 'Bolt' }, from: { name: 'Acme' } }]);
      expect(await rows('makers', 'select=name,orders!shipping(id)&name=eq.Bolt')).toEqual([
        { name: 'Bolt', orders: [{ id: 1 }] },
      ]);
    });

    test('rejects paths into what is not embedded', () => {
      expect(error('items', 'select=id&makers.name=eq.x')).toMatchObject({ status: 400, code: 'PGRST108' });
      expect(error('items', 'select=id,makers(id)&makers.items.id=eq.1')).toMatchObject({
        code: 'PGRST108',
      });
    });
  });
}
