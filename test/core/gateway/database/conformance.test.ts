import { expect, it } from 'vitest';
import { DatabaseError, type Statement, type StatementResult } from '../../../../core/store/sql/database.ts';
import { describeOnDatabases } from '../../../harness/databases.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { until } from '../../../harness/resources.ts';

const statement = (text: string, ...values: (string | null)[]): Statement => ({ text, values });

describeOnDatabases('every database', (under) => {
  const read = (...statements: Statement[]): Promise<readonly StatementResult[]> =>
    under().database.transact({ isReadOnly: true, statements });
  const write = (...statements: Statement[]): Promise<readonly StatementResult[]> =>
    under().database.transact({ isReadOnly: false, statements });
  const caught = async (work: Promise<unknown>): Promise<DatabaseError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseError);
    return error as DatabaseError;
  };

  it('returns values as PostgreSQL prints them', async () => {
    const [result] = await read(
      statement(
        `select $1::int8 + 1 as big, 0.10::numeric as exact, null as nothing, true as yes, $2 as said,
                '{"a": 1.50}'::json as document, '\\x00ff'::bytea as bytes, array[1, 2] as list`,
        '9007199254740993',
        'hé 🙂',
      ),
    );
    expect(result!.columns).toEqual(['big', 'exact', 'nothing', 'yes', 'said', 'document', 'bytes', 'list']);
    expect(result!.rows).toEqual([
      ['9007199254740994', '0.10', null, 't', 'hé 🙂', '{"a": 1.50}', '\\x00ff', '{1,2}'],
    ]);
  });

  it('counts written and read rows', async () => {
    await under().database.runScript('create table counted (id int primary key, word text)');
    const [inserted, updated, found, none] = await write(
      statement(`insert into counted select n, 'x' from generate_series(1, $1::int) n`, '7'),
      statement(`update counted set word = $1 where id > 4`, null),
      statement(`select id from counted where word is null order by id`),
      statement(`delete from counted where id > 100`),
    );
    expect(inserted!.affected).toBe(7);
    expect(updated!.affected).toBe(3);
    expect(found).toMatchObject({ columns: ['id'], typeIds: [23], rows: [['5'], ['6'], ['7']], affected: 3 });
    expect(none!.affected).toBe(0);
  });

  it('prepares a statement once, also after a failed one, and again when the session has forgotten it', async () => {
    const kept = async (): Promise<number> => {
      const [result] = await read(
        statement(`select count(*) from pg_prepared_statements where statement like $1`, '%twice%'),
      );
      return Number(result!.rows[0]![0]);
    };
    const twice = statement('select $1::int * 2 as twice', '4');
    await caught(read(twice, statement('select 1 / $1::int as twice', '0')));
    for (const expected of ['8', '8', '8']) expect((await read(twice))[0]!.rows).toEqual([[expected]]);
    expect(await kept()).toBe(1);
    await under().database.runScript(
      `create function forget() returns void language plpgsql as $$ begin execute 'deallocate all'; end $$`,
    );
    await write(statement('select forget()'));
    const [first, second] = await write(twice, statement('select $1::int + 1 as more', '1'));
    expect([first!.rows, second!.rows]).toEqual([[['8']], [['2']]]);
  });

  it('prepares a statement again when its result columns change', async () => {
    await under().database.runScript('create table widened (id int); insert into widened values (1)');
    const all = statement('select * from widened where id = $1', '1');
    for (const _ of [1, 2]) expect((await read(all))[0]!.columns).toEqual(['id']);
    await under().database.runScript(`alter table widened add word text default 'w'`);
    for (const _ of [1, 2])
      expect((await read(all))[0]).toMatchObject({ columns: ['id', 'word'], rows: [['1', 'w']] });
  });

  it('asks before a commit only when its condition holds', async () => {
    await under().database.runScript('create table doubted (id int unique deferrable initially deferred)');
    const asked: string[] = [];
    const insert = (id: number, doubt: string, keeps = true): Promise<readonly StatementResult[]> =>
      under().database.transact({
        isReadOnly: false,
        statements: [
          statement(`select set_config('test.doubt', $1, true)`, doubt),
          statement('insert into doubted values ($1) returning id', String(id)),
        ],
        keeps: ([, inserted]) => {
          asked.push(inserted!.rows[0]![0]!);
          return keeps;
        },
        doubt: `current_setting('test.doubt', true) <> ''`,
      });
    for (const round of [1, 2]) {
      expect((await insert(10 * round, ''))[1]!.rows).toEqual([[`${10 * round}`]]);
      expect((await insert(10 * round + 1, 'x'))[1]!.rows).toEqual([[`${10 * round + 1}`]]);
      await insert(10 * round + 2, 'x', false);
    }
    expect(asked).toEqual(['11', '12', '21', '22']);
    expect((await caught(insert(10, ''))).code).toBe('23505');
    expect((await caught(insert(10, 'x'))).code).toBe('23505');
    const [left] = await read(statement('select id from doubted order by id'));
    expect(left!.rows.flat()).toEqual(['10', '11', '20', '21']);
  });

  it('undoes everything when one statement fails', async () => {
    await under().database.runScript('create table undone (id int primary key)');
    const error = await caught(
      write(statement('insert into undone values (1)'), statement('insert into undone values (1)')),
    );
    expect(error).toMatchObject({ code: '23505', detail: 'Key (id)=(1) already exists.' });
    const [left] = await read(statement('select count(*) from undone'));
    expect(left!.rows).toEqual([['0']]);
  });

  it('reports the first statement that fails, with position and hint', async () => {
    const error = await caught(
      read(statement('select 1'), statement('select lenght($1)', 'x'), statement('select 2')),
    );
    expect(error.code).toBe('42883');
    expect(error.position).toBe(8);
    expect(error.hint).toContain('No function matches');
  });

  it('rejects writes in a read-only transaction', async () => {
    await under().database.runScript('create table guarded (id int)');
    expect((await caught(read(statement('insert into guarded values (1)')))).code).toBe('25006');
  });

  it('reports a deferred constraint that fails on commit', async () => {
    await under().database.runScript('create table deferred (id int unique deferrable initially deferred)');
    const error = await caught(write(statement('insert into deferred values (1), (1)')));
    expect(error.code).toBe('23505');
  });

  it('asks before the commit, and returns the results of what it rolls back', async () => {
    await under().database.runScript('create table asked (id int)');
    const insert = (keeps: boolean): Promise<readonly StatementResult[]> =>
      under().database.transact({
        isReadOnly: false,
        statements: [statement('insert into asked values (1) returning id')],
        keeps: ([result]) => result!.rows[0]![0] === '1' && keeps,
      });
    expect((await insert(false))[0]!.rows).toEqual([['1']]);
    expect((await read(statement('select count(*) from asked')))[0]!.rows).toEqual([['0']]);
    await insert(true);
    expect((await read(statement('select count(*) from asked')))[0]!.rows).toEqual([['1']]);
  });

  it('rolls back when the callback throws, or a statement fails before', async () => {
    await under().database.runScript('create table thrown (id int)');
    const broken = { isReadOnly: false, statements: [statement('insert into thrown values (1)')] };
    const error = new Error('not this');
    await expect(
      under().database.transact({
        ...broken,
        keeps: () => {
          throw error;
        },
      }),
    ).rejects.toBe(error);
    await caught(
      under().database.transact({
        isReadOnly: false,
        statements: [...broken.statements, statement('select 1/0')],
        keeps: () => true,
      }),
    );
    expect((await read(statement('select count(*) from thrown')))[0]!.rows).toEqual([['0']]);
  });

  it('limits settings of a transaction to it', async () => {
    const [, , shown] = await read(
      statement(`select set_config('request.method', $1, true)`, 'GET'),
      statement(`select set_config('search_path', 'pg_catalog', true)`),
      statement(`select current_setting('request.method'), current_setting('search_path')`),
    );
    expect(shown!.rows).toEqual([['GET', 'pg_catalog']]);
    const [after] = await read(statement(`select coalesce(current_setting('request.method', true), '')`));
    expect(after!.rows).toEqual([['']]);
  });

  it('runs a transaction in the requested isolation level', async () => {
    const [result] = await under().database.transact({
      isReadOnly: true,
      isolation: 'serializable',
      statements: [statement('show transaction_isolation')],
    });
    expect(result!.rows).toEqual([['serializable']]);
  });

  it('reads empty, huge and hostile values as values', async () => {
    const large = 'x'.repeat(3_000_000);
    const [result] = await read(
      statement('select $1::text, length($2), $3::text', '', large, `'); drop table counted; --`),
    );
    expect(result!.rows).toEqual([['', '3000000', `'); drop table counted; --`]]);
  });

  it('lets PostgreSQL reject a value that is invalid for its type', async () => {
    expect((await caught(read(statement('select $1::bool', 'maybe')))).code).toBe('22P02');
    expect((await caught(read(statement('select $1::bytea', '\\xzz')))).code).toBe('22023');
    expect((await caught(read(statement('select $1::int', '99999999999')))).code).toBe('22003');
  });

  it('runs many concurrent transactions', async () => {
    await under().database.runScript('create table crowd (id int)');
    const all = Array.from({ length: 60 }, (_, n) =>
      n % 7 === 0
        ? write(statement('select 1/0')).catch(() => 'failed')
        : write(statement('insert into crowd values ($1) returning id', String(n))).then(
            ([result]) => result!.rows[0]![0],
          ),
    );
    const answers = await Promise.all(all);
    expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => (n % 7 === 0 ? 'failed' : String(n))));
  });

  it('cancels a statement that times out, and continues with the next', async () => {
    const endless = under().database.transact({
      isReadOnly: true,
      statements: [statement('select count(*) from generate_series(1, 100000000000) n')],
      timeoutMs: 300,
    });
    const error = await caught(endless);
    expect(error.code).toBe('57014');
    expect((await read(statement('select 1')))[0]!.rows).toEqual([['1']]);
  });

  it('cancels an aborted statement', async () => {
    const leaving = new AbortController();
    const [endless, script] = [
      under().database.transact({
        isReadOnly: true,
        statements: [statement('select count(*) from generate_series(1, 100000000000) n')],
        signal: leaving.signal,
      }),
      under().database.runScript(
        'select 1; select count(*) from generate_series(1, 100000000000) n',
        leaving.signal,
      ),
    ];
    const both = Promise.all([caught(endless), caught(script)]);
    await new Promise((resolve) => systemClock.after(150, () => resolve(undefined)));
    leaving.abort();
    expect((await both).map(({ code }) => code)).toEqual(['57014', '57014']);
    expect((await read(statement('select 1')))[0]!.rows).toEqual([['1']]);
  });

  it('terminates a statement that ignores a cancel', async () => {
    const leaving = new AbortController();
    const stubborn = `do $$ begin
      begin perform count(*) from generate_series(1, 100000000000);
      exception when query_canceled then perform count(*) from generate_series(1, 100000000000); end;
    end $$`;
    const ended = caught(under().database.runScript(stubborn, leaving.signal));
    await new Promise((resolve) => systemClock.after(150, () => resolve(undefined)));
    leaving.abort();
    expect((await ended).code).toBe('57014');
  });

  it('survives an endless recursion', async () => {
    await under().database.runScript(`
      create function deep(n int) returns int language plpgsql as $$ begin return deep(n + 1); end $$;
    `);
    expect((await caught(read(statement('select deep(1)')))).code).toBe('54001');
    expect((await read(statement('select 1')))[0]!.rows).toEqual([['1']]);
  });

  it('runs scripts as psql does, statement by statement', async () => {
    const results = await under().database.runScript(`
      -- a comment; with a semicolon
      create table scripted (id int, word text default ';');
      create function scripted_word(text) returns text language sql as $body$ select $1 || ';'; $body$;
      create function atomic_word(a int) returns int language sql
        begin atomic select 1; select case when a = 1 then 2 else 3 end; end;
      insert into scripted values (1, 'it''s; /* no comment */'), (2, E'\\';');
      /* outer /* inner; */ still; */ select * from scripted order by id;
      vacuum scripted
    `);
    expect(results).toHaveLength(6);
    expect(results[4]!.rows).toEqual([
      ['1', `it's; /* no comment */`],
      ['2', `';`],
    ]);
  });

  it('stops a script at its first failure, and keeps what came before', async () => {
    const error = await caught(
      under().database.runScript(
        'create table half (id int);\n\nselect  nothing;\ncreate table other (id int);',
      ),
    );
    expect(error.message).toBe('line 3: column "nothing" does not exist');
    expect(error.position).toBe('create table half (id int);\n\nselect  '.length + 1);
    const [found] = await read(statement(`select to_regclass('half'), to_regclass('other')`));
    expect(found!.rows).toEqual([['half', null]]);
  });

  it('discards what a script leaves open', async () => {
    await under().database.runScript(
      `set search_path = pg_catalog; create temp table passing (id int); begin; create table public.never (id int); set role pg_monitor`,
    );
    const [shown] = await read(
      statement(
        `select current_setting('search_path'), current_user, to_regclass('passing'), to_regclass('never')`,
      ),
    );
    expect(shown!.rows[0]!.slice(1)).toEqual(['postgres', null, null]);
    expect(shown!.rows[0]![0]).toContain('public');
  });

  it('reports that a script cannot feed COPY, and continues', async () => {
    await under().database.runScript('create table copied (id int)');
    expect((await caught(under().database.runScript('copy copied from stdin'))).code).toBe('57014');
    expect((await read(statement('select 1')))[0]!.rows).toEqual([['1']]);
  });

  it('receives NOTIFY until it stops listening', async () => {
    const heard: (string | undefined)[] = [];
    const stop = await under().database.listen('Odd "channel"', (payload) => heard.push(payload));
    const other = await under().database.listen('other', () => heard.push('wrong'));
    await write(statement(`select pg_notify('Odd "channel"', $1)`, 'first'));
    await under().database.runScript('select 1');
    await write(statement(`select pg_notify('Odd "channel"', '')`));
    await until(() => heard.length === 2);
    expect(heard).toEqual(['first', '']);
    await stop();
    await other();
    await write(statement(`select pg_notify('Odd "channel"', 'late')`));
    expect(heard).toHaveLength(2);
  });

  it('reports its status', () => {
    const { kind, database, server } = under();
    const status = database.status();
    expect(status.state).toBe('open');
    expect(status.version).toMatch(kind === 15 ? /^15\.\d+$/ : /^18\.\d+$/);
    expect(status.place).toContain(server === undefined ? under().home.data : String(server.port));
  });
});
