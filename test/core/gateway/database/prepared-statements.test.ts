import { expect, test, describe, it } from 'vitest';
import type { Statement, StatementResult } from '../../../../core/store/sql/database.ts';
import { PreparedStatements } from '../../../../core/gateway/database/prepared-statements.ts';
import { splitScript } from '../../../../core/store/sql/split-script.ts';

const done = (count: number): StatementResult[] =>
  Array.from({ length: count }, () => ({ columns: ['a'], rows: [], affected: 0 }));
const shape = { columns: ['a'] };
const ask = (text: string): Statement => ({ text, values: ['1'] });

test('prepares a statement once per session for any values; one without values every time', () => {
  const prepared = new PreparedStatements({ isPersistent: true });
  const first = prepared.begin([{ text: 'BEGIN', values: [] }, ask('a'), ask('a'), ask('b')]);
  expect(first.uses).toEqual([
    { name: '', isNew: true },
    { name: 's1', isNew: true },
    { name: 's1', isNew: false },
    { name: 's2', isNew: true },
  ]);
  first.settle(done(4));
  expect(prepared.begin([ask('b'), ask('a')]).uses).toEqual([
    { name: 's2', isNew: false, shape },
    { name: 's1', isNew: false, shape },
  ]);
});

test('closes what a failed batch may have left before the next one', () => {
  const prepared = new PreparedStatements({ isPersistent: true });
  prepared.begin([ask('a'), ask('b')]).settle([]);
  const next = prepared.begin([ask('a')]);
  expect(next).toMatchObject({ closes: ['s1', 's2'], uses: [{ name: 's3', isNew: true }] });
  next.settle(done(1));
  expect(prepared.begin([]).closes).toEqual([]);
});

test('keeps the executed statements of a failed batch', () => {
  const prepared = new PreparedStatements({ isPersistent: true });
  prepared.begin([ask('a'), ask('b')]).settle(done(1));
  const next = prepared.begin([ask('a'), ask('b')]);
  expect(next).toMatchObject({ closes: ['s2'], uses: [{ name: 's1', isNew: false }, { isNew: true }] });
});

test('keeps those at the start of every transaction, although they have no values', () => {
  const prepared = new PreparedStatements({ isPersistent: true });
  const begin = { text: 'BEGIN', values: [], isUsual: true };
  prepared.begin([begin]).settle(done(1));
  expect(prepared.begin([begin]).uses).toEqual([{ name: 's1', isNew: false, shape }]);
});

test('prepares forgotten statements again, closing them first in case they still exist', () => {
  const prepared = new PreparedStatements({ isPersistent: true });
  prepared.begin([ask('a')]).settle(done(1));
  prepared.forget();
  expect(prepared.begin([ask('a')])).toMatchObject({ closes: ['s1'], uses: [{ name: 's2', isNew: true }] });
});

test('limits statements per session to the most recently used', () => {
  const prepared = new PreparedStatements({ isPersistent: true });
  for (let number = 1; number <= 200; number += 1) prepared.begin([ask(`q${number}`)]).settle(done(1));
  prepared.begin([ask('q1')]).settle(done(1));
  prepared.begin([ask('one more')]).settle(done(1));
  const next = prepared.begin([ask('q1'), ask('q2')]);
  expect(next).toMatchObject({ closes: ['s2'], uses: [{ name: 's1', isNew: false }, { isNew: true }] });
});

test('keeps nothing where the next session may be another one', () => {
  const prepared = new PreparedStatements({ isPersistent: false });
  prepared.begin([ask('a')]).settle(done(1));
  expect(prepared.begin([ask('a')])).toMatchObject({ closes: [], uses: [{ name: '', isNew: true }] });
});

const texts = (sql: string): string[] => splitScript(sql).map(({ text }) => text);

describe('splits a script at semicolons', () => {
  it.each([
    ['', []],
    [' ; -- nothing\n;; /* ; */ ', []],
    ['select 1', ['select 1']],
    ['select 1;\nselect 2 ;', ['select 1', 'select 2']],
    [`select ';', '''';select "a;""b"`, [`select ';', ''''`, 'select "a;""b"']],
    [`select E'\\';' ; select e'a\\\\'; x`, [`select E'\\';'`, `select e'a\\\\'`, 'x']],
    ['select $$a;b$$; select $x$;$$;$x$;y', ['select $$a;b$$', 'select $x$;$$;$x$', 'y']],
    ['select $1; select a$b$c; d', ['select $1', 'select a$b$c', 'd']],
    ['/* a; /* b; */ c; */ select 1 -- x;\n; y', ['select 1 -- x;', 'y']],
    [
      'create rule r as on insert to a do (select 1; select 2); z',
      ['create rule r as on insert to a do (select 1; select 2)', 'z'],
    ],
    [
      'create function f() returns int begin atomic select case 1 when 1 then 2 end; select 3; end; z',
      ['create function f() returns int begin atomic select case 1 when 1 then 2 end; select 3; end', 'z'],
    ],
    ['begin; insert into a values (1); end; z', ['begin', 'insert into a values (1)', 'end', 'z']],
    ['\\set x 1;2\nselect 1;\n\\restrict abc\n', ['\\set x 1;2', 'select 1', '\\restrict abc']],
    [`select 'open; select 2`, [`select 'open; select 2`]],
    ['select $a$ open; x', ['select $a$ open; x']],
    ['/* open; select 1', []],
    ['select 1e5;select 1.5;ü;größe', ['select 1e5', 'select 1.5', 'ü', 'größe']],
  ])('%s', (sql, statements) => {
    expect(texts(sql)).toEqual(statements);
  });

  it('with the position of each statement', () => {
    for (const { text, start } of splitScript('  select 1 ;\n-- x\n select 2;'))
      expect('  select 1 ;\n-- x\n select 2;'.slice(start)).toMatch(new RegExp(`^${text}`));
  });
});
