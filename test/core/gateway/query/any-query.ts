import type {
  Condition,
  Field,
  Level,
  OrderTerm,
  Query,
  SelectItem,
  Test,
} from '../../../../core/gateway/query/query.ts';
import fc from 'fast-check';

/** Writes a query as a client would, with names and values quoted where necessary. */
export function printQuery(query: Query): string {
  const { select, root, embedded, columns, onConflict, others } = query;
  const parameters: [string, string][] = [
    ...(select.length > 0 ? ([['select', printItems(select)]] as [string, string][]) : []),
    ...[root, ...embedded].flatMap(printLevel),
    ...(columns === undefined ? [] : ([['columns', columns.map(printName).join(',')]] as [string, string][])),
    ...(onConflict === undefined
      ? []
      : ([['on_conflict', onConflict.map(printName).join(',')]] as [string, string][])),
    ...others.map(({ name, value }): [string, string] => [name, value]),
  ];
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

const words = [
  'and',
  'or',
  'not',
  'order',
  'limit',
  'offset',
  'select',
  'columns',
  'on_conflict',
  'count',
  'inner',
  'left',
];

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const printName = (name: string): string =>
  /^[a-z_$][a-z0-9_$]*(?:-[a-z0-9_$]+)*$/i.test(name) && !words.includes(name) ? name : quote(name);

const printField = ({ column, json }: Field): string =>
  printName(column) +
  json
    .map(
      ({ arrow, key }) =>
        arrow + (typeof key === 'number' ? String(key) : /^[a-z]\w*$/.test(key) ? key : quote(key)),
    )
    .join('');

const printCast = (cast: string | undefined): string => (cast === undefined ? '' : `::${cast}`);

const printItems = (items: readonly SelectItem[]): string => items.map(printItem).join(',');

function printItem(item: SelectItem): string {
  if (item.kind === 'all') return '*';
  const alias = item.alias === undefined ? '' : `${printName(item.alias)}:`;
  if (item.kind === 'embed') {
    const hint = item.hint === undefined ? '' : `!${printName(item.hint)}`;
    const spread = item.isSpread ? '...' : '';
    return `${spread}${alias}${printName(item.target)}${hint}${item.isInner ? '!inner' : ''}(${printItems(item.items)})`;
  }
  const { field, cast, aggregate } = item;
  if (field === undefined) return `${alias}count()${printCast(aggregate?.cast)}`;
  const called = aggregate === undefined ? '' : `.${aggregate.function}()${printCast(aggregate.cast)}`;
  return `${alias}${printField(field)}${printCast(cast)}${called}`;
}

function printLevel({ path, conditions, order, limit, offset }: Level): [string, string][] {
  const prefix = path.map((name) => `${printName(name)}.`).join('');
  const parameters: [string, string][] = conditions.map((condition) =>
    condition.kind === 'test'
      ? [prefix + printField(condition.field), printSigned(condition, (value) => value)]
      : [`${prefix}${condition.isNegated ? 'not.' : ''}${condition.kind}`, printGroup(condition.conditions)],
  );
  if (order.length > 0) parameters.push([`${prefix}order`, order.map(printTerm).join(',')]);
  if (limit !== undefined) parameters.push([`${prefix}limit`, String(limit)]);
  if (offset !== undefined) parameters.push([`${prefix}offset`, String(offset)]);
  return parameters;
}

const printGroup = (conditions: readonly Condition[]): string =>
  `(${conditions.map(printCondition).join(',')})`;

function printCondition(condition: Condition): string {
  if (condition.kind === 'test') return `${printField(condition.field)}.${printSigned(condition, quote)}`;
  return `${condition.isNegated ? 'not.' : ''}${condition.kind}${printGroup(condition.conditions)}`;
}

const printSigned = (
  { isNegated, test }: { isNegated: boolean; test: Test },
  printValue: (value: string) => string,
): string => (isNegated ? 'not.' : '') + printTest(test, printValue);

function printTest(test: Test, printValue: (value: string) => string): string {
  if (test.operator === 'in') return `in.(${test.values.map(quote).join(',')})`;
  if (test.operator === 'is') return `is.${test.value}`;
  if ('quantifier' in test)
    return `${test.operator}(${test.quantifier}).${printValue(`{${test.values.map(quote).join(',')}}`)}`;
  const language = 'language' in test && test.language !== undefined ? `(${test.language})` : '';
  return `${test.operator}${language}.${printValue(test.value)}`;
}

function printTerm({ relation, field, direction, nulls }: OrderTerm): string {
  const columnText =
    relation === undefined ? printField(field) : `${printName(relation)}(${printField(field)})`;
  return `${columnText}.${direction}${nulls === undefined ? '' : `.nulls${nulls}`}`;
}

const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((each) => each.replaceAll('\0', '').toWellFormed());

const hard = fc.constantFrom(
  'a.b',
  'and',
  'or',
  'not',
  'order',
  'count',
  'in',
  'x y',
  '"',
  '\\',
  '(',
  'a,b',
  'ä-ö',
  'a->b',
  '0',
  '*',
  '::',
  'inner',
  '{a}',
  '%',
  '+&=',
);

const name = fc
  .oneof(fc.constantFrom('id', 'name', 'due_at', 'a-b', '$x', 'Group'), hard, text)
  .filter((each) => each !== '');

const value = fc.oneof(text, hard, fc.constantFrom('1', '', ' ', '"a"', '{1,2}', 'null', 'eq.1', ')'));

const identifier = fc.constantFrom('int', 'text', 'double precision', 'my_type$', 'timestamptz');

const field: fc.Arbitrary<Field> = fc.record({
  column: name,
  json: fc.array(
    fc.record({
      arrow: fc.constantFrom('->' as const, '->>' as const),
      key: fc.oneof(
        name,
        fc.integer({ min: -99, max: 99 }).map((each) => (each === 0 ? 0 : each)),
      ),
    }),
    { maxLength: 3 },
  ),
});

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** Omits undefined values, as the parser does. */
const compact = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, each]) => each !== undefined)) as T;

const plainOperators = [
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'],
  ...['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'isdistinct'],
] as const;

const test = fc.oneof(
  fc.record({ operator: fc.constantFrom(...plainOperators), value }),
  fc.record({
    operator: fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'),
    quantifier: fc.constantFrom('any', 'all'),
    values: fc.array(value, { maxLength: 4 }),
  }),
  fc
    .record({
      operator: fc.constantFrom('fts', 'plfts', 'phfts', 'wfts'),
      language: optional(identifier),
      value,
    })
    .map(compact),
  fc.record({ operator: fc.constant('in'), values: fc.array(value, { maxLength: 4 }) }),
  fc.record({
    operator: fc.constant('is'),
    value: fc.constantFrom('null', 'not_null', 'true', 'false', 'unknown'),
  }),
) as fc.Arbitrary<Test>;

const condition = fc.letrec<{ test: Condition; group: Condition; any: Condition }>((tie) => ({
  test: fc.record({ kind: fc.constant('test' as const), field, isNegated: fc.boolean(), test }),
  group: fc.record({
    kind: fc.constantFrom('and' as const, 'or' as const),
    isNegated: fc.boolean(),
    conditions: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
  }),
  any: fc.oneof({ maxDepth: 3 }, tie('test'), tie('group')),
})).any;

const items = fc.letrec<{ item: SelectItem; items: SelectItem[] }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant({ kind: 'all' as const }),
    fc
      .record({
        field,
        alias: optional(name),
        cast: optional(identifier),
        aggregate: fc.oneof(
          fc.constant(undefined),
          fc
            .record({
              function: fc.constantFrom('avg', 'count', 'max', 'min', 'sum'),
              cast: optional(identifier),
            })
            .map(compact),
        ),
      })
      .map((each) => compact({ kind: 'field', ...each }) as SelectItem),
    fc
      .record({ alias: optional(name), cast: optional(identifier) })
      .map(
        ({ alias, cast }) =>
          compact({ kind: 'field', alias, aggregate: compact({ function: 'count', cast }) }) as SelectItem,
      ),
    fc
      .record({
        target: name,
        alias: optional(name),
        hint: optional(name),
        isInner: fc.boolean(),
        isSpread: fc.boolean(),
        items: tie('items'),
      })
      .map(
        (each) =>
          compact({ kind: 'embed', ...each, alias: each.isSpread ? undefined : each.alias }) as SelectItem,
      ),
  ),
  items: fc.array(tie('item'), { maxLength: 3 }),
})).items;

const term = fc
  .record({
    field,
    relation: optional(name),
    direction: fc.constantFrom('asc', 'desc'),
    nulls: optional(fc.constantFrom('first', 'last')),
  })
  .map((each) => compact(each) as OrderTerm);

const level = (path: fc.Arbitrary<string[]>): fc.Arbitrary<Level> =>
  fc
    .record({
      path,
      conditions: fc.array(condition, { maxLength: 3 }),
      order: fc.array(term, { maxLength: 2 }),
      limit: optional(fc.nat()),
      offset: optional(fc.nat()),
    })
    .map(compact);

const says = ({ conditions, order, limit, offset }: Level): boolean =>
  conditions.length > 0 || order.length > 0 || limit !== undefined || offset !== undefined;

const names = optional(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }));

/** A random query of a relation. */
export const anyQuery: fc.Arbitrary<Query> = fc
  .record({
    select: items,
    root: level(fc.constant([])),
    embedded: fc.uniqueArray(level(fc.array(name, { minLength: 1, maxLength: 3 })).filter(says), {
      maxLength: 3,
      selector: ({ path }) => JSON.stringify(path),
    }),
    columns: names,
    onConflict: names,
    others: fc.constant([]),
  })
  .map(compact);

/** Tokens of the language in any order: nearly valid more often than random letters. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'select=',
        '&',
        '=',
        'or=(',
        'and=(',
        'not.',
        'eq.',
        'in.(',
        ')',
        '(',
        ',',
        '.',
        '"',
        '\\',
        '->',
        '->>',
        '::',
        ':',
        '!',
        '...',
        '*',
        '{',
        '}',
        'order=',
        'limit=',
        'offset=',
        '-1',
        'columns=',
        'on_conflict=',
        'is.null',
        'fts(',
        '(any).',
        '%22',
        '%00',
        '%',
        '+',
        'a',
        'id',
        'count()',
        '.sum()',
        'and',
        "'",
        ';--',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));
