import {
  comparisonOperators,
  patternOperators,
  type Query,
  rangeOperators,
  searchOperators,
} from '../../query/query.ts';

export type Parameter = Query['others'][number];

const operators: ReadonlySet<string> = new Set([
  ...comparisonOperators,
  ...patternOperators,
  ...rangeOperators,
  ...searchOperators,
  'isdistinct',
  'in',
  'is',
]);

/** Whether a value has the form `[not.]operator[(…)].…`. */
function isOperation(value: string): boolean {
  const start = value.startsWith('not.') ? 4 : 0;
  const word = /^[a-z]{1,20}/.exec(value.slice(start, start + 21))?.[0] ?? '';
  const after = start + word.length;
  if (!operators.has(word)) return false;
  if (value[after] !== '(') return value[after] === '.';
  const end = value.indexOf(')', after);
  return end >= 0 && value[end + 1] === '.' && !value.slice(after + 1, end).includes('(');
}

/** Splits query parameters into those that cannot be filters, and all. */
export function separateArguments({ others, root }: Query): {
  readonly candidates: readonly Parameter[];
  readonly all: readonly Parameter[];
} {
  const filtered = new Set(
    root.conditions.flatMap((condition) => (condition.kind === 'test' ? [condition.field.column] : [])),
  );
  const isFilter = ({ name, value }: Parameter): boolean => filtered.has(name) && isOperation(value);
  return { candidates: others.filter((parameter) => !isFilter(parameter)), all: others };
}

/** Removes the filters that are used as arguments. */
export function withoutArguments(query: Query, parameters: readonly Parameter[]): Query {
  const taken = new Set(parameters.filter(({ value }) => isOperation(value)).map(({ name }) => name));
  const conditions = query.root.conditions.filter(
    (condition) => condition.kind !== 'test' || !taken.has(condition.field.column),
  );
  return taken.size === 0 ? query : { ...query, root: { ...query.root, conditions } };
}
