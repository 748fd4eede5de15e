import type {
  Condition,
  Field,
  Level,
  OrderTerm,
  Query,
  SelectItem,
  Test,
} from '../../../../core/gateway/query/query.ts';

/** Writes a query as a client would, each name and value in quotes where it has to be. */
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
  const place = relation === undefined ? printField(field) : `${printName(relation)}(${printField(field)})`;
  return `${place}.${direction}${nulls === undefined ? '' : `.nulls${nulls}`}`;
}
