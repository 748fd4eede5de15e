import { quoteIdentifier } from '../../../../core/base/text/quote-identifier.ts';

/** One filter of the builder. */
export interface PathFilter {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

/** Operators that the builder offers; others can be typed. */
export const builtOperators = [
  { value: 'eq', label: 'equals' },
  { value: 'neq', label: 'not equals' },
  { value: 'gt', label: 'greater than' },
  { value: 'gte', label: 'greater than or equal' },
  { value: 'lt', label: 'less than' },
  { value: 'lte', label: 'less than or equal' },
  { value: 'like', label: 'like (* is a wildcard)' },
  { value: 'ilike', label: 'like, case-insensitive' },
  { value: 'in', label: 'in (a,b,c)' },
  { value: 'is', label: 'is (null, true, false)' },
] as const;

/** Returns the path of a table without a query. */
export const pathOf = (table: string): string => `/${encodeURIComponent(table)}`;

/** Adds a filter to a path. */
export function addFilter(path: string, { column, operator, value }: PathFilter): string {
  const list = operator === 'in' && !value.startsWith('(') ? `(${value})` : value;
  // Characters that are allowed in a query stay readable.
  const shown = encodeURIComponent(list).replaceAll(/%(2C|3A|2F|28|29|2A|40)/gi, decodeURIComponent);
  return `${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(quoteIdentifier(column))}=${operator}.${shown}`;
}
