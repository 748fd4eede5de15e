import fc from 'fast-check';
import type { GatewayRequest } from '../../../../core/gateway/service/gateway-service.ts';
import { anyQuery, anyText, printQuery } from '../query/any-query.ts';

/** What would do harm if any of it ever became part of a statement. */
const hostileText = fc.constantFrom(
  "'; DROP TABLE vault.sentinel; --",
  "' OR '1'='1",
  '") FROM vault.sentinel; --',
  '"; DELETE FROM vault.sentinel; --',
  "$1); UPDATE vault.sentinel SET secret = 'x'; --",
  '$$; DROP SCHEMA vault CASCADE; $$',
  "\\'; DROP TABLE vault.sentinel; --",
  '1; COMMIT; DROP TABLE vault.sentinel',
  '(SELECT secret FROM vault.sentinel)',
  'vault.sentinel',
  '/*',
  '--',
  '%',
  '\u{1F600}',
  '9'.repeat(40),
  'a'.repeat(100),
);

interface Kind {
  readonly operators: readonly string[];
  readonly values: readonly string[];
  /** Whether any string can be its value. */
  readonly isText?: boolean;
}

const ordered = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'isdistinct',
  'is',
  'in',
  'eq(any)',
  'gt(any)',
  'lte(all)',
];
const patterns = ['like', 'ilike', 'match', 'imatch', 'like(all)'];
const searches = ['fts', 'plfts', 'phfts', 'wfts', 'plfts(english)', 'wfts(nothing)'];
const base64 = ['hGxH//ZLROY4pk93EAAAAQ==', 'hGxH//ZLROY4pk93EAAAAg==', 'hGxH'];

const text: Kind = {
  operators: [...ordered, ...patterns, ...searches],
  values: ['anvil', '*a*', '^a', 'a.b,c(d)'],
  isText: true,
};
const number: Kind = { operators: ordered, values: ['1', '2', '-1', '1.5'] };
const uuid: Kind = { operators: ['eq', 'neq', 'gt', 'in', 'is', 'eq(any)'], values: base64 };
const color: Kind = { operators: ordered, values: ['#0000ff', '#000000', '255'] };

const kinds: Readonly<Record<string, Kind>> = {
  id: number,
  name: text,
  maker: uuid,
  parent: uuid,
  color,
  code: color,
  sold_at: { operators: ordered, values: ['2020-01-01', 'now'] },
  price: { operators: ordered, values: ['1.5', '1234567890.12', 'NaN'] },
  big: { operators: ordered, values: ['9007199254740993'] },
  tags: { operators: ['cs', 'cd', 'ov', 'eq', 'is'], values: ['{heavy}', '{"a,b"}', '{}'] },
  data: { operators: ['cs', 'cd', 'eq', 'is'], values: ['{"a":1}', '[]', 'null'] },
  raw: { operators: ['is'], values: ['1'] },
  is_old: { operators: ['is', 'eq'], values: ['true', 'f'] },
  place: { operators: ['eq', 'is'], values: ['("Main, street",5)'] },
  span: { operators: ['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'eq'], values: ['[1,5)', 'empty'] },
  words: { operators: searches, values: ['anvil', 'a & b'], isText: true },
  label: text,
  sent_to: text,
  a: number,
  b: number,
  c: text,
};

const tables: Readonly<Record<string, readonly string[]>> = {
  items: [
    'id',
    'name',
    'maker',
    'color',
    'sold_at',
    'price',
    'big',
    'tags',
    'data',
    'raw',
    'is_old',
    'place',
    'span',
    'words',
    'label',
  ],
  makers: ['id', 'name', 'parent'],
  colors: ['code', 'name'],
  orders: ['id', 'sent_to'],
  pairs: ['a', 'b', 'c'],
  keyless: ['a', 'b'],
  item_colors: ['id', 'name', 'color'],
  dozens: ['id'],
  'Odd "name"': ['a.b', 'c,d'],
};

const operators = [...new Set(Object.values(kinds).flatMap((kind) => kind.operators))];

/** The first nine times in ten, else something unexpected. */
const usually = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 11, arbitrary: usual }, { weight: 1, arbitrary: odd });

const quote = (word: string): string => `"${word.replaceAll(/["\\]/g, '\\$&')}"`;

const name = (word: string): string => (/^\w+$/.test(word) ? word : quote(word));

const getColumn = (table: string): fc.Arbitrary<string> =>
  usually(
    fc.constantFrom(...(tables[table] ?? ['id', 'name'])),
    fc.oneof(hostileText, fc.constantFrom(...Object.keys(kinds))),
  );

const valueOf = (column: string): fc.Arbitrary<string> => {
  const { values, isText = false } = kinds[column] ?? text;
  const usual = fc.constantFrom(...values);
  return isText ? fc.oneof(usual, hostileText, fc.string({ maxLength: 6 })) : usually(usual, hostileText);
};

const jsonPath = fc.constantFrom('', '->a', '->>a', '->a->b->>0', '->-1', `->>${quote("x'); --")}`);

const pathInto = (column: string): fc.Arbitrary<string> =>
  column === 'data' || column === 'tags' ? jsonPath : usually(fc.constant(''), jsonPath);

interface Filter {
  readonly left: string;
  readonly test: string;
  readonly value: string;
}

const toFilter = (table: string): fc.Arbitrary<Filter> =>
  getColumn(table).chain((column) =>
    fc
      .record({
        operator: usually(
          fc.constantFrom(...(kinds[column] ?? text).operators),
          fc.constantFrom(...operators),
        ),
        isNegated: fc.boolean(),
        into: pathInto(column),
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
    { weight: 4, arbitrary: toFilter(table).map(({ left, test, value }) => [left, test + value] as const) },
    { weight: 1, arbitrary: fc.array(toFilter(table), { minLength: 1, maxLength: 3 }).map(printGroup) },
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
    { weight: 6, arbitrary: getColumn(table).map(name) },
    {
      weight: 2,
      arbitrary: getColumn(table).chain((column) => pathInto(column).map((into) => name(column) + into)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          getColumn(table),
          usually(fc.constantFrom('text', 'json'), fc.constantFrom('int', 'nothing', 'reps$x', 'a b')),
        )
        .map(([column, type]) => `${name(column)}::${type}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(hostileText, getColumn(table))
        .map(([alias, column]) => `${quote(alias)}:${name(column)}`),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('*', '*,*', 'count()', `${name(tables[table]?.[0] ?? 'id')}.max()`),
    },
    {
      weight: 4,
      arbitrary: usually(
        fc.constantFrom(...(embedded[table] ?? ['*'])),
        fc.constantFrom('sentinel(*)', 'vault(secret)', 'makers(*)', 'items(*)'),
      ),
    },
  );

const pageOf = (table: string): fc.Arbitrary<string> =>
  usually(
    fc.oneof(
      getColumn(table).map((column) => `order=${encodeURIComponent(name(column))}.desc.nullslast`),
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

const queryOf = (table: string): fc.Arbitrary<string> =>
  usually(likelyQuery(table), fc.oneof(anyQuery.map(printQuery), anyText));

const cell = fc.oneof(
  fc.constantFrom(null, 1, true, 'anvil', '#00ff00', 'hGxH//ZLROY4pk93EAAAAQ==', [], { a: [1] }, 1e300),
  hostileText,
  fc.jsonValue({ maxDepth: 2 }),
);

const recordOf = (columns: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .array(fc.tuple(usually(fc.constantFrom(...columns), hostileText), cell), { maxLength: 3 })
    .map((pairs) => Object.fromEntries(pairs));

const json = (value: unknown): { type: string; text: string } => ({
  type: 'application/json',
  text: JSON.stringify(value),
});

const getBody = (columns: readonly string[]): fc.Arbitrary<{ type: string; text: string }> =>
  usually(
    fc.oneof(
      recordOf(columns).map(json),
      recordOf(columns).map((record) => json([record, record])),
      fc
        .constantFrom('name,color\nx,NULL\n', 'a,b\n1,2\n')
        .map((content) => ({ type: 'text/csv', text: content })),
      fc
        .constantFrom('name=x', 'a=1&b=2')
        .map((content) => ({ type: 'application/x-www-form-urlencoded', text: content })),
    ),
    fc.oneof(
      fc.jsonValue().map(json),
      fc
        .tuple(
          fc.constantFrom(
            'text/plain',
            'text/xml',
            'application/octet-stream',
            'application/json',
            'text/csv',
          ),
          anyText,
        )
        .map(([type, content]) => ({ type, text: content })),
    ),
  );

const optional = (values: readonly string[], absence = 3): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: absence, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: usually(fc.constantFrom(...values), hostileText) },
  );

const headers = fc
  .record({
    prefer: optional([
      ...['return=representation', 'return=headers-only', 'count=exact', 'count=planned', 'count=estimated'],
      ...[
        'resolution=merge-duplicates',
        'resolution=ignore-duplicates, return=representation',
        'missing=default',
      ],
      ...[
        'handling=strict, max-affected=1',
        'handling=strict, foo',
        'unfiltered=allow',
        'timezone=Europe/Berlin',
        'tx=rollback',
      ],
    ]),
    accept: optional([
      'application/json',
      '*/*',
      'text/csv',
      'application/vnd.pgrst.array+json;nulls=stripped',
      'application/vnd.pgrst.object+json',
      'text/html',
    ]),
    range: optional(['0-1', '5-', '3-1', 'x']),
    'accept-profile': optional(['shop', 'vault'], 40),
    'content-profile': optional(['shop', 'vault'], 40),
    cookie: optional(['a=b']),
  })
  .map((each) =>
    Object.fromEntries(
      Object.entries(each).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
  );

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 4, arbitrary: fc.constantFrom('HEAD', 'POST', 'PATCH', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('OPTIONS', 'BREW') },
);

const ofTables = fc
  .constantFrom('items', 'items', 'items', ...Object.keys(tables))
  .chain((table) =>
    fc.record({ method, path: fc.constant([table]), query: queryOf(table), body: getBody(tables[table]!) }),
  );

const ofRoutines = fc.record({
  method,
  path: fc
    .constantFrom(
      ...[
        'add',
        'greet',
        'overload',
        'unclear',
        'total',
        'whole',
        'shout',
        'numbers',
        'rows_of',
        'one_item',
        'items_of',
      ],
      ...['darker', 'both_ways', 'mixed', 'nothing'],
    )
    .map((routine) => ['rpc', routine]),
  query: fc
    .tuple(
      fc.constantFrom(
        'a=1&b=2',
        'a=1',
        'name=x',
        'upto=3',
        'numbers=1&numbers=2',
        'shade=%23ff0000',
        'a=x',
        'id=1',
        '',
        `wanted=${encodeURIComponent(base64[0]!)}`,
      ),
      fc.oneof(fc.constant(''), queryOf('items')),
    )
    .map((parts) => parts.filter((part) => part !== '').join('&')),
  body: getBody(['a', 'b', 'name', 'id', 'numbers', 'shade']),
});

const ofNothing = fc.record({
  method,
  path: fc.oneof(
    fc.constant([]),
    hostileText.map((each) => [each]),
    hostileText.map((each) => ['rpc', each]),
    fc.array(fc.string(), { maxLength: 3 }),
  ),
  query: queryOf('items'),
  body: getBody(['a']),
});

/** A random request of the database `shop`, nearly valid more often than not. */
export const anyRequest: fc.Arbitrary<GatewayRequest> = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: ofTables },
      { weight: 3, arbitrary: ofRoutines },
      { weight: 1, arbitrary: ofNothing },
    ),
    headers,
  )
  .map(([{ body, ...request }, said]) => ({
    ...request,
    headers: { ...said, 'content-type': body.type },
    body: new TextEncoder().encode(body.text),
    isLoopback: true,
    mount: '/gateway',
  }));
