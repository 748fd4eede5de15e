import type { Conversion } from '../../catalog/catalog.ts';
import { bind, type Sql, sql, trusted } from '../sql.ts';

/**
 * A value of a request by the conversion of a domain. One that is declared VOLATILE (as functions are that say nothing)
 * is put into a query of its own: it is then called once instead of for each row, and indexes serve.
 */
export function convertValue(conversion: Conversion, value: Sql): Sql {
  const call = sql`${trusted(conversion.functionSql)}(${value}::${trusted(conversion.argumentTypeSql)})`;
  return conversion.volatility === 'volatile' ? sql`(SELECT ${call})` : call;
}

/** Several texts as an array of converted values, made once. */
export function convertTexts(conversion: Conversion, texts: readonly string[]): Sql {
  const call = sql`${trusted(conversion.functionSql)}("one"."text"::${trusted(conversion.argumentTypeSql)})`;
  return sql`ARRAY(SELECT ${call} FROM unnest(${bind(arrayLiteral(texts))}::text[]) AS "one"("text"))`;
}

/** `{"a","b"}`: how PostgreSQL reads an array. */
export const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
