import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../core/gateway/query/parse-query.ts';
import type { Condition, SelectItem, Test } from '../../../../core/gateway/query/query.ts';

const column = (name: string) => ({ column: name, json: [] });

const field = (name: string, more: object = {}): SelectItem => ({
  kind: 'field',
  field: column(name),
  ...more,
});

const embed = (target: string, more: object = {}): SelectItem => ({
  kind: 'embed',
  target,
  isInner: false,
  isSpread: false,
  items: [],
  ...more,
});

describe('select', () => {
  it.each<[string, readonly SelectItem[]]>([
    ['', []],
    ['*', [{ kind: 'all' }]],
    ['id, due_at', [field('id'), field('due_at')]],
    ['when:due_at::text', [field('due_at', { alias: 'when', cast: 'text' })]],
    ['a::double precision', [field('a', { cast: 'double precision' })]],
    ['"a.b","q\\"\\\\"', [field('a.b'), field('q"\\')]],
    ['first-name', [field('first-name')]],
    [
      'data->a->>0,data->-1->"b.c"',
      [
        {
          kind: 'field',
          field: {
            column: 'data',
            json: [
              { arrow: '->', key: 'a' },
              { arrow: '->>', key: 0 },
            ],
          },
        },
        {
          kind: 'field',
          field: {
            column: 'data',
            json: [
              { arrow: '->', key: -1 },
              { arrow: '->', key: 'b.c' },
            ],
          },
        },
      ],
    ],
    [
      'data->1a,data->"1",data->99999999999',
      [
        { kind: 'field', field: { column: 'data', json: [{ arrow: '->', key: '1a' }] } },
        { kind: 'field', field: { column: 'data', json: [{ arrow: '->', key: '1' }] } },
        { kind: 'field', field: { column: 'data', json: [{ arrow: '->', key: '99999999999' }] } },
      ],
    ],
    [
      'count(),n:count()::text,total:price::int.sum()::text',
      [
        { kind: 'field', aggregate: { function: 'count' } },
        { kind: 'field', alias: 'n', aggregate: { function: 'count', cast: 'text' } },
        field('price', { alias: 'total', cast: 'int', aggregate: { function: 'sum', cast: 'text' } }),
      ],
    ],
    ['count', [field('count')]],
    ['"count"()', [embed('count')]],
    [
      'id,f:films!directed_by!inner(title,...actors!left(*),tags())',
      [
        field('id'),
        embed('films', {
          alias: 'f',
          hint: 'directed_by',
          isInner: true,
          items: [
            field('title'),
            embed('actors', { isSpread: true, items: [{ kind: 'all' }] }),
            embed('tags'),
          ],
        }),
      ],
    ],
    ['a!inner!"inner"(*)', [embed('a', { isInner: true, hint: 'inner', items: [{ kind: 'all' }] })]],
  ])('%s', (text, items) => {
    expect(parseQuery(`select=${encodeURIComponent(text)}`).select).toEqual(items);
  });
});

/** The only condition of the root. */
function getCondition(queryString: string): Condition {
  const { conditions } = parseQuery(queryString).root;
  expect(conditions).toHaveLength(1);
  return conditions[0]!;
}

describe('filters', () => {
  it.each<[string, boolean, Test]>([
    ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'].map(plainCase),
    ...['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'isdistinct'].map(plainCase),
    ['eq.', false, { operator: 'eq', value: '' }],
    ['not.eq.a.b=c,(d)"e"', true, { operator: 'eq', value: 'a.b=c,(d)"e"' }],
    ['like.*a*', false, { operator: 'like', value: '*a*' }],
    ['in.(1,2)', false, { operator: 'in', values: ['1', '2'] }],
    ['in.()', false, { operator: 'in', values: [] }],
    ['not.in.(  )', true, { operator: 'in', values: [] }],
    ['in.("")', false, { operator: 'in', values: [''] }],
    ['in.(,)', false, { operator: 'in', values: ['', ''] }],
    ['in.("a,b", "c)\\"\\\\",x"y)', false, { operator: 'in', values: ['a,b', 'c)"\\', 'x"y'] }],
    ['in.("a"b,c)', false, { operator: 'in', values: ['"a"b', 'c'] }],
    ['is.null', false, { operator: 'is', value: 'null' }],
    ['not.is.NULL', true, { operator: 'is', value: 'null' }],
    ['is.not_null', false, { operator: 'is', value: 'not_null' }],
    ['is.TRUE', false, { operator: 'is', value: 'true' }],
    ['is.false', false, { operator: 'is', value: 'false' }],
    ['is.unknown', false, { operator: 'is', value: 'unknown' }],
    ['fts.cat', false, { operator: 'fts', value: 'cat' }],
    ['plfts(english).the cat', false, { operator: 'plfts', language: 'english', value: 'the cat' }],
    ['not.wfts(german).a or b', true, { operator: 'wfts', language: 'german', value: 'a or b' }],
    ['phfts(simple).', false, { operator: 'phfts', language: 'simple', value: '' }],
    ['eq(any).{1,2}', false, { operator: 'eq', quantifier: 'any', values: ['1', '2'] }],
    ['like(all).{a*, "b,c" ,""}', false, { operator: 'like', quantifier: 'all', values: ['a*', 'b,c', ''] }],
    ['gt(any).{}', false, { operator: 'gt', quantifier: 'any', values: [] }],
  ])('%s', (text, isNegated, test) => {
    expect(getCondition(`a=${encodeURIComponent(text)}`)).toEqual({
      kind: 'test',
      field: column('a'),
      isNegated,
      test,
    });
  });

  function plainCase(operator: string): [string, boolean, Test] {
    return [`${operator}.x`, false, { operator, value: 'x' } as Test];
  }

  it('support a path into a value on the left', () => {
    expect(getCondition('data->a->>-1=eq.x')).toMatchObject({
      field: {
        column: 'data',
        json: [
          { arrow: '->', key: 'a' },
          { arrow: '->>', key: -1 },
        ],
      },
    });
    expect(getCondition('%22a.b%22=eq.x')).toMatchObject({ field: column('a.b') });
    expect(getCondition('%22order%22=eq.x')).toMatchObject({ field: column('order') });
  });

  it('keep their order, any number per column', () => {
    const { conditions } = parseQuery('b=gt.1&a=eq.2&b=lt.3').root;
    expect(conditions).toMatchObject([
      { field: column('b') },
      { field: column('a') },
      { field: column('b') },
    ]);
  });

  it('decode plus, percent signs and UTF-8', () => {
    expect(getCondition('a=eq.x+y%2Bz%C3%A4%zz')).toMatchObject({ test: { value: 'x y+zä%zz' } });
  });
});

describe('groups', () => {
  it('nest, with whitespace, quotes, lists, arrays and negations', () => {
    const text = '(a.eq.1, not.and( b.not.is.null ,c.in.(1,"2,3")), d.eq."x,y)" , e.cs.{1,{2,3}},f.eq.)';
    expect(getCondition(`or=${encodeURIComponent(text)}`)).toMatchObject({
      kind: 'or',
      isNegated: false,
      conditions: [
        { field: column('a'), test: { value: '1' } },
        {
          kind: 'and',
          isNegated: true,
          conditions: [
            { field: column('b'), isNegated: true, test: { operator: 'is', value: 'null' } },
            { field: column('c'), test: { operator: 'in', values: ['1', '2,3'] } },
          ],
        },
        { field: column('d'), test: { value: 'x,y)' } },
        { field: column('e'), test: { operator: 'cs', value: '{1,{2,3}}' } },
        { field: column('f'), test: { value: '' } },
      ],
    });
  });

  it('are negated as a whole, and belong to a level', () => {
    const { root, embedded } = parseQuery('not.and=(a.eq.1)&films.or=(a.eq.1)&films.not.or=(b.eq.2)');
    expect(root.conditions).toMatchObject([{ kind: 'and', isNegated: true }]);
    expect(embedded).toMatchObject([
      {
        path: ['films'],
        conditions: [
          { kind: 'or', isNegated: false },
          { kind: 'or', isNegated: true },
        ],
      },
    ]);
  });

  it('support columns named like their keywords', () => {
    expect(getCondition('or=(and.eq.1,or.is.null,not.eq.2)')).toMatchObject({
      conditions: [{ field: column('and') }, { field: column('or') }, { field: column('not') }],
    });
  });

  it('support any and all of an array, quoted or not', () => {
    expect(getCondition('or=(a.eq(any).{1,2},b.like(all).%22{x,y}%22)')).toMatchObject({
      conditions: [{ test: { values: ['1', '2'] } }, { test: { values: ['x', 'y'] } }],
    });
  });
});

describe('levels', () => {
  it('have their own order, limit and offset', () => {
    const query = parseQuery(
      'order=a.desc.nullslast,data->>b.asc,c.nullsfirst&limit=5&offset=10&films.order=films(title).desc&films.limit=2&x.y.offset=3',
    );
    expect(query.root).toEqual({
      path: [],
      conditions: [],
      order: [
        { field: column('a'), direction: 'desc', nulls: 'last' },
        { field: { column: 'data', json: [{ arrow: '->>', key: 'b' }] }, direction: 'asc' },
        { field: column('c'), direction: 'asc', nulls: 'first' },
      ],
      limit: 5,
      offset: 10,
    });
    expect(query.embedded).toEqual([
      {
        path: ['films'],
        conditions: [],
        order: [{ field: column('title'), relation: 'films', direction: 'desc' }],
        limit: 2,
      },
      { path: ['x', 'y'], conditions: [], order: [], offset: 3 },
    ]);
  });

  it.each([
    ['offset=-3', { offset: 0 }],
    ['offset=abc', { offset: 0 }],
    ['limit=0', { limit: 0 }],
    ['limit=99999999999999999999', { limit: Number.MAX_SAFE_INTEGER }],
    ['limit=3&limit=4', { limit: 4 }],
    ['order=a&order=b', { order: [{ field: column('a') }] }],
  ])('%s', (text, root) => {
    expect(parseQuery(text).root).toMatchObject(root);
  });

  it('have no empty limit', () => {
    expect(parseQuery('limit=&order=').root).toEqual({ path: [], conditions: [], order: [] });
  });
});

describe('columns and on_conflict', () => {
  it('name columns', () => {
    const { columns, onConflict } = parseQuery('columns=a,%22b.c%22,a&on_conflict=id');
    expect([columns, onConflict]).toEqual([['a', 'b.c'], ['id']]);
    expect(parseQuery('')).not.toHaveProperty('columns');
  });
});

describe('call by GET', () => {
  it('treats a non-filter as an argument, and a filter as both', () => {
    const { others, root, embedded } = parseQuery('a=5&b=eq.6&c.d=eq.x&limit=5&a=7&x y!=1', { isCall: true });
    expect(others).toEqual([
      { name: 'a', value: '5' },
      { name: 'b', value: 'eq.6' },
      { name: 'a', value: '7' },
      { name: 'x y!', value: '1' },
    ]);
    expect(root).toMatchObject({ conditions: [{ field: column('b') }], limit: 5 });
    expect(embedded).toMatchObject([{ path: ['c'] }]);
  });
});
