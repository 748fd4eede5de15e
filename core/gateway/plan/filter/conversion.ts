import type { Conversion } from '../../catalog/catalog.ts';
import { bind, type Sql, sql, catalogSql } from '../sql.ts';

/**
 * Returns a request value converted by a domain's conversion. A VOLATILE conversion (the default of functions) is
 * wrapped in a subquery, so that it runs once instead of once per row, and indexes are used.
 */
export function convertValue(conversion: Conversion, value: Sql): Sql {
  const call = sql`${catalogSql(conversion.functionSql)}(${value}::${catalogSql(conversion.argumentTypeSql)})`;
  return conversion.volatility === 'volatile' ? sql`(SELECT ${call})` : call;
}

/** Returns several strings as an array of converted values, converted once. */
export function convertTexts(conversion: Conversion, texts: readonly string[]): Sql {
  const call = sql`${catalogSql(conversion.functionSql)}("one"."text"::${catalogSql(conversion.argumentTypeSql)})`;
  return sql`ARRAY(SELECT ${call} FROM unnest(${bind(arrayLiteral(texts))}::text[]) AS "one"("text"))`;
}

/** Returns a PostgreSQL array literal: `{"a","b"}`. */
export const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
