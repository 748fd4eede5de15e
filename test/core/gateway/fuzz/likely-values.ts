import fc from 'fast-check';

/** What would do harm if any of it ever became part of a statement. */
export const hostile = fc.constantFrom(
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
  /** Whether any text at all can be its value. */
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
export const base64 = ['hGxH//ZLROY4pk93EAAAAQ==', 'hGxH//ZLROY4pk93EAAAAg==', 'hGxH'];

export const text: Kind = {
  operators: [...ordered, ...patterns, ...searches],
  values: ['anvil', '*a*', '^a', 'a.b,c(d)'],
  isText: true,
};
const number: Kind = { operators: ordered, values: ['1', '2', '-1', '1.5'] };
const uuid: Kind = { operators: ['eq', 'neq', 'gt', 'in', 'is', 'eq(any)'], values: base64 };
const color: Kind = { operators: ordered, values: ['#0000ff', '#000000', '255'] };

export const kinds: Readonly<Record<string, Kind>> = {
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

export const tables: Readonly<Record<string, readonly string[]>> = {
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

export const operators = [...new Set(Object.values(kinds).flatMap((kind) => kind.operators))];

/** The first nine times in ten, else something that was not to be expected. */
export const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 11, arbitrary: usual }, { weight: 1, arbitrary: odd });

export const quote = (given: string): string => `"${given.replaceAll(/["\\]/g, '\\$&')}"`;

export const name = (given: string): string => (/^\w+$/.test(given) ? given : quote(given));

export const columnOf = (table: string): fc.Arbitrary<string> =>
  mostly(
    fc.constantFrom(...(tables[table] ?? ['id', 'name'])),
    fc.oneof(hostile, fc.constantFrom(...Object.keys(kinds))),
  );

export const valueOf = (column: string): fc.Arbitrary<string> => {
  const { values, isText = false } = kinds[column] ?? text;
  const usual = fc.constantFrom(...values);
  return isText ? fc.oneof(usual, hostile, fc.string({ maxLength: 6 })) : mostly(usual, hostile);
};
