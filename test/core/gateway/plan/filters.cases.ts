import { describe, expect, test } from 'vitest';
import type { ShopGateway } from './shop.ts';

const acme = 'hGxH//ZLROY4pk93EAAAAQ==';
const bolt = 'hGxH//ZLROY4pk93EAAAAg==';

export function testFilters(desk: () => ShopGateway): void {
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
      [`maker=eq.${encodeURIComponent(acme)}`, [1, 3]],
      [`maker=in.(${encodeURIComponent(`"${acme}","${bolt}"`)})`, [1, 2, 3]],
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
      const makers = encodeURIComponent(acme);
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
