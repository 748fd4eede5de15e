import {
  comparisonOperators,
  patternOperators,
  type Query,
  rangeOperators,
  searchOperators,
} from '../../query/query.ts';

export type Parameter = Query['others'][number];

const words = [
  ...comparisonOperators,
  ...patternOperators,
  ...rangeOperators,
  ...searchOperators,
  'isdistinct',
  'in',
  'is',
];
const operatorPattern = new RegExp(`^(not\\.)?(${words.join('|')})(\\([^()]*\\))?\\.`);

/** Of the parameters of a query that may be arguments: those that read as no filter, and all. */
export function splitParameters({ others, root }: Query): {
  readonly given: readonly Parameter[];
  readonly all: readonly Parameter[];
} {
  const filtered = new Set(
    root.conditions.flatMap((condition) => (condition.kind === 'test' ? [condition.field.column] : [])),
  );
  const isFilter = ({ name, value }: Parameter): boolean => filtered.has(name) && operatorPattern.test(value);
  return { given: others.filter((parameter) => !isFilter(parameter)), all: others };
}

/** A query without filters that have turned out to be arguments. */
export function withoutArguments(query: Query, parameters: readonly Parameter[]): Query {
  const taken = new Set(
    parameters.filter(({ value }) => operatorPattern.test(value)).map(({ name }) => name),
  );
  const conditions = query.root.conditions.filter(
    (condition) => condition.kind !== 'test' || !taken.has(condition.field.column),
  );
  return taken.size === 0 ? query : { ...query, root: { ...query.root, conditions } };
}
