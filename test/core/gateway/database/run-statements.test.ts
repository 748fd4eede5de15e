import { describe, expect, it } from 'vitest';
import { splitScript } from '../../../../core/store/sql/split-script.ts';

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
