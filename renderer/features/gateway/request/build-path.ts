import { quoteColumn } from '../../../../core/base/text/quote-column.ts';

/** One filter of the builder. */
export interface BuiltFilter {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

/** Operators that the builder offers, in words; the rest can be typed. */
export const builtOperators = [
  { value: 'eq', label: 'is equal to' },
  { value: 'neq', label: 'is not equal to' },
  { value: 'gt', label: 'is greater than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
  { value: 'like', label: 'is like (* for any text)' },
  { value: 'ilike', label: 'is like, in any case' },
  { value: 'in', label: 'is one of (a,b,c)' },
  { value: 'is', label: 'is (null, true, false)' },
] as const;

/** The path of a table without anything asked of it. */
export const pathOf = (table: string): string => `/${encodeURIComponent(table)}`;

/** A path with one more filter. */
export function addFilter(path: string, { column, operator, value }: BuiltFilter): string {
  const list = operator === 'in' && !value.startsWith('(') ? `(${value})` : value;
  // What a query may have as it is stays readable.
  const shown = encodeURIComponent(list).replaceAll(/%(2C|3A|2F|28|29|2A|40)/gi, decodeURIComponent);
  return `${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(quoteColumn(column))}=${operator}.${shown}`;
}
