import fc from 'fast-check';
import { anyQuery, anyText } from '../query/any-query.ts';
import { printQuery } from '../query/print-query.ts';
import {
  columnOf,
  hostile,
  kinds,
  mostly,
  name,
  operators,
  quote,
  tables,
  text,
  valueOf,
} from './likely-values.ts';

const way = fc.constantFrom('', '->a', '->>a', '->a->b->>0', '->-1', `->>${quote("x'); --")}`);

const wayInto = (column: string): fc.Arbitrary<string> =>
  column === 'data' || column === 'tags' ? way : mostly(fc.constant(''), way);

interface Filter {
  readonly left: string;
  readonly test: string;
  readonly value: string;
}

const filterOf = (table: string): fc.Arbitrary<Filter> =>
  columnOf(table).chain((column) =>
    fc
      .record({
        operator: mostly(
          fc.constantFrom(...(kinds[column] ?? text).operators),
          fc.constantFrom(...operators),
        ),
        isNegated: fc.boolean(),
        into: wayInto(column),
        values: fc.array(valueOf(column), { minLength: 1, maxLength: 3 }),
      })
      .map(({ operator, isNegated, into, values }) => ({
        left: name(column) + into,
        test: `${isNegated ? 'not.' : ''}${operator}.`,
        value: writeValues(operator, values),
      })),
  );

function writeValues(operator: string, values: readonly string[]): string {
  const list = values.map(quote).join(',');
  if (operator === 'in') return `(${list})`;
  if (operator === 'is') return 'null';
  return /\((?:any|all)\)$/.test(operator) ? `{${list}}` : values[0]!;
}

const printGroup = (filters: readonly Filter[]): readonly [string, string] => [
  'or',
  `(${filters.map(({ left, test, value }) => `${left}.${test}${/(?:in|is|\))\.$/.test(test) ? value : quote(value)}`).join(',')})`,
];

const parameterOf = (table: string): fc.Arbitrary<readonly [string, string]> =>
  fc.oneof(
    { weight: 4, arbitrary: filterOf(table).map(({ left, test, value }) => [left, test + value] as const) },
    { weight: 1, arbitrary: fc.array(filterOf(table), { minLength: 1, maxLength: 3 }).map(printGroup) },
  );

const embedded: Readonly<Record<string, readonly string[]>> = {
  items: [
    'makers(*)',
    '...makers(name)',
    'colors!inner(name)',
    'details(note)',
    'order_items(amount,orders(sent_to))',
    'siblings(name)',
    'first_maker(*)',
    'makers!items_maker_fk(*)',
    'makers()',
    'c:colors(code)',
    'orders(*)',
  ],
  makers: ['items(*)', 'items(name,makers(name))', 'parent(*)', 'makers!x(*)'],
  colors: ['...items(name,color)', 'items(id.count())'],
  orders: ['items(name)', 'makers!orders_billing_fk(name)', 'makers(*)'],
};

const selectedOf = (table: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: columnOf(table).map(name) },
    {
      weight: 2,
      arbitrary: columnOf(table).chain((column) => wayInto(column).map((into) => name(column) + into)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          columnOf(table),
          mostly(fc.constantFrom('text', 'json'), fc.constantFrom('int', 'nothing', 'reps$x', 'a b')),
        )
        .map(([column, type]) => `${name(column)}::${type}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(hostile, columnOf(table))
        .map(([alias, column]) => `${quote(alias)}:${name(column)}`),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('*', '*,*', 'count()', `${name(tables[table]?.[0] ?? 'id')}.max()`),
    },
    {
      weight: 4,
      arbitrary: mostly(
        fc.constantFrom(...(embedded[table] ?? ['*'])),
        fc.constantFrom('sentinel(*)', 'vault(secret)', 'makers(*)', 'items(*)'),
      ),
    },
  );

const pageOf = (table: string): fc.Arbitrary<string> =>
  mostly(
    fc.oneof(
      columnOf(table).map((column) => `order=${encodeURIComponent(name(column))}.desc.nullslast`),
      fc.constantFrom('limit=2', 'limit=0', 'offset=1', 'offset=0'),
    ),
    fc.constantFrom(
      ...[
        'order=makers(name)',
        'order=data->a',
        'order=x',
        'offset=99999999999999',
        'limit=-1',
        'makers.limit=1',
      ],
      ...['items.order=id.desc', 'items.name=eq.anvil', 'makers.or=(name.eq.Acme)', 'makers=not.is.null'],
      ...['columns=id,name', 'on_conflict=id', 'on_conflict=x', `select=${'*,'.repeat(900)}*`],
    ),
  );

const likelyQuery = (table: string): fc.Arbitrary<string> =>
  fc
    .record({
      select: fc.option(fc.array(selectedOf(table), { minLength: 1, maxLength: 3 })),
      parameters: fc.array(parameterOf(table), { maxLength: 2 }),
      pages: fc.array(pageOf(table), { maxLength: 2 }),
    })
    .map(({ select, parameters, pages }) =>
      [
        ...(select === null ? [] : [`select=${encodeURIComponent(select.join(','))}`]),
        ...parameters.map((pair) => pair.map(encodeURIComponent).join('=')),
        ...pages,
      ].join('&'),
    );

export const queryOf = (table: string): fc.Arbitrary<string> =>
  mostly(likelyQuery(table), fc.oneof(anyQuery.map(printQuery), anyText));
