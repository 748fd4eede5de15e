import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../core/gateway/query/parse-query.ts';
import { queryLimits } from '../../../../core/gateway/query/cursor.ts';
import { readPage } from '../../../docs/read-page.ts';
import { thrownBy } from '../thrown-by.ts';

describe('parse errors', () => {
  const nested = (depth: number): string => `${'or('.repeat(depth).slice(2)}a.eq.1${')'.repeat(depth)}`;

  it.each([
    [
      'id=3',
      '"failed to parse filter (3)" (line 1, column 1)',
      'unexpected "3" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      'id=not.foo.3',
      '"failed to parse filter (not.foo.3)" (line 1, column 5)',
      'unexpected "f" expecting operator (eq, gt, ...)',
    ],
    [
      'id=eq',
      '"failed to parse filter (eq)" (line 1, column 3)',
      'unexpected end of input expecting delimiter (.)',
    ],
    [
      'id=in.(1,2',
      '"failed to parse filter (in.(1,2)" (line 1, column 8)',
      'unexpected end of input expecting "," or ")"',
    ],
    [
      'id=in.(1)2',
      '"failed to parse filter (in.(1)2)" (line 1, column 7)',
      'unexpected "2" expecting end of input',
    ],
    [
      'id=is.nul',
      '"failed to parse filter (is.nul)" (line 1, column 4)',
      'unexpected "n" expecting null, not_null or trilean value (unknown, true, false)',
    ],
    [
      'id=neq(any).{1}',
      '"failed to parse filter (neq(any).{1})" (line 1, column 4)',
      '"neq" does not support the any and all modifiers',
    ],
    [
      'id=eq(any).1',
      '"failed to parse filter (eq(any).1)" (line 1, column 9)',
      'unexpected "1" expecting "{"',
    ],
    [
      'id=eq(any).{null}',
      '"failed to parse filter (eq(any).{null})" (line 1, column 10)',
      'null cannot be compared with equal or not equal',
    ],
    [
      'id=fts().x',
      '"failed to parse filter (fts().x)" (line 1, column 5)',
      'unexpected ")" expecting name of a full-text configuration',
    ],
    [
      'select=a(b',
      '"failed to parse select parameter (a(b)" (line 1, column 4)',
      'unexpected end of input expecting "," or ")"',
    ],
    [
      'select=a,,b',
      '"failed to parse select parameter (a,,b)" (line 1, column 3)',
      'unexpected "," expecting field name (* or [a..z0..9_$])',
    ],
    ['select=%22a', '"failed to parse select parameter ("a)" (line 1, column 1)', 'unclosed quote'],
    [
      'select=a.median()',
      '"failed to parse select parameter (a.median())" (line 1, column 3)',
      'unexpected "m" expecting aggregate (avg(), count(), max(), min(), sum())',
    ],
    [
      'select=%F0%9F%98%80)',
      '"failed to parse select parameter (😀))" (line 1, column 2)',
      'unexpected ")" expecting "," or end of input',
    ],
    [
      'select=x:...a(*)',
      '"failed to parse select parameter (x:...a(*))" (line 1, column 3)',
      'unexpected "." expecting field name (* or [a..z0..9_$])',
    ],
    [
      'select=...x:a(*)',
      '"failed to parse select parameter (...x:a(*))" (line 1, column 5)',
      'a spread resource cannot have an alias: its columns become columns of the parent',
    ],
    [
      'order=a.up',
      '"failed to parse order (a.up)" (line 1, column 3)',
      'unexpected "u" expecting asc, desc, nullsfirst, nullslast, "," or end of input',
    ],
    [
      'or=()',
      '"failed to parse logic tree (())" (line 1, column 2)',
      'unexpected ")" expecting field name (* or [a..z0..9_$])',
    ],
    ['or=(a.cs.{1)', '"failed to parse logic tree ((a.cs.{1))" (line 1, column 7)', 'unclosed brace'],
    [
      'a..b=eq.1',
      '"failed to parse tree path (a..b)" (line 1, column 3)',
      'unexpected "." expecting field name (* or [a..z0..9_$])',
    ],
    [
      'columns=',
      '"failed to parse columns parameter ()" (line 1, column 1)',
      'unexpected end of input expecting field name (* or [a..z0..9_$])',
    ],
    [
      'limit=ten',
      '"failed to parse limit parameter (ten)" (line 1, column 1)',
      'unexpected "t" expecting a whole number',
    ],
    [
      `or=${nested(queryLimits.logic + 1)}`,
      expect.stringContaining('"failed to parse logic tree'),
      'groups are nested more than 50 levels deep',
    ],
    [
      `select=${'a('.repeat(21)}`,
      expect.stringContaining('column 42)'),
      'resources are embedded more than 20 levels deep',
    ],
    [
      `select=a${'->b'.repeat(51)}`,
      expect.stringContaining('column 154)'),
      'more than 50 steps in a JSON path',
    ],
    [
      `select=${'a(),'.repeat(101)}`,
      expect.stringContaining('"failed to parse select'),
      'more than 100 embedded resources',
    ],
    [
      `select=b(${'a,'.repeat(1_001)}`,
      expect.stringContaining('"failed to parse select'),
      'more than 1000 columns',
    ],
  ])('%s', (text, message, details) => {
    expect(thrownBy(() => parseQuery(text))).toMatchObject({
      status: 400,
      code: 'PGRST100',
      message,
      details,
    });
  });

  it('list what was expected', () => {
    expect(thrownBy(() => parseQuery('id=3')).hint).toBe(
      'Use filters in the form column=operator.value, such as id=eq.3.',
    );
  });

  it('quote only part of long input', () => {
    expect(thrownBy(() => parseQuery(`id=${'x'.repeat(10_000)}`)).message.length).toBeLessThan(300);
  });

  it.each([
    'a=eq.%00',
    'a%00=eq.1',
    'a=eq.%ff',
    'a=eq.\uD800',
    `a=eq.${'x'.repeat(queryLimits.length)}`,
    'a=eq.1&'.repeat(1_001),
  ])('reject all input that is not text, or too large', (text) => {
    expect(thrownBy(() => parseQuery(text))).toMatchObject({ status: 400, code: 'PGRST100' });
  });

  it('reject a negative limit', () => {
    expect(thrownBy(() => parseQuery('films.limit=-1'))).toMatchObject({ status: 416, code: 'PGRST103' });
  });

  it('do not occur at the maximum depth', () => {
    expect(parseQuery(`or=${nested(queryLimits.logic)}`).root.conditions).toHaveLength(1);
    const depth = queryLimits.embedding;
    expect(parseQuery(`select=${'a('.repeat(depth)}*${')'.repeat(depth)}`).select).toHaveLength(1);
  });
});

describe('docs/gateway.md', () => {
  it('lists the limits of a query', () => {
    const { parameters, items, resources, embedding, logic, jsonSteps } = queryLimits;
    const number = (value: number): string => value.toLocaleString('en');
    expect(readPage('docs/gateway.md').text).toContain(
      `query string: ${number(parameters)} parameters, ${number(items)} columns, ` +
        `${resources} resources, ${embedding} deep; groups ${logic} deep; JSON paths of ${jsonSteps} steps`,
    );
  });
});
