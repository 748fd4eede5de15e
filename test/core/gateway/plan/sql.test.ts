import { describe, expect, test } from 'vitest';
import {
  bind,
  bindKey,
  join,
  identifier,
  sql,
  toStatement,
  catalogSql,
} from '../../../../core/gateway/plan/sql.ts';

describe('SQL fragments', () => {
  test('become one text with numbered values, wherever they were created', () => {
    const one = sql`${identifier('t', 'a')} = ${bind('x')}`;
    const both = join([one, sql`${identifier('b')} > ${bind(null)}`], ' AND ');
    expect(toStatement(sql`SELECT ${bind('1')}::${catalogSql('int')} WHERE ${both}`)).toEqual({
      text: 'SELECT $1::int WHERE "t"."a" = $2 AND "b" > $3',
      values: ['1', 'x', null],
    });
  });

  test.each([
    ['plain', '"plain"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['a.b; --', '"a.b; --"'],
    ['cut\0off', '"cut"'],
    ['', '""'],
  ])('quote the name %j', (text, expected) => {
    expect(toStatement(identifier(text)).text).toBe(expected);
  });

  test('share one parameter for equal JSON keys, unlike other values', () => {
    const [text, index] = [bindKey('1'), bindKey(1)];
    const statement = toStatement(join([text, index, bindKey('1'), bind('1'), bind('1')], ', '));
    expect(statement).toEqual({
      text: '$1::text, $2::int, $1::text, $3, $4',
      values: ['1', '1', '1', '1'],
    });
  });
});
