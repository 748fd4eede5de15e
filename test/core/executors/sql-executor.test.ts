import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/base/json.ts';
import { openDatabase } from '../../../core/gateway/database/open-database.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { describeOnDatabases } from '../../harness/databases.ts';
import { runStep, startStep, type StepChoice } from './step-harness.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { silentLogger } from '../../harness/fakes.ts';

describeOnDatabases('step of type sql', (under) => {
  /** The gateway's database is the one under test; a URL leads to a separate pool. */
  const databases: StepChoice['databases'] = {
    open: async (url) => {
      const { settings, home } = under();
      return openDatabase(
        url === undefined ? settings : { ...settings, databaseUrl: url },
        home,
        systemClock,
        silentLogger,
      );
    },
  };
  const run = (
    sql: { command?: string; script?: string },
    config: JsonObject = {},
    choice: StepChoice = {},
  ) => runStep({ kind: 'executor', type: 'sql', config, ...sql }, { databases, ...choice });

  // Steps share an open database; each would open it again otherwise.
  beforeAll(async () => void (await under().database.runScript('select 1')));

  it('writes rows as JSON, one per line, with every digit', async () => {
    const { end, stdout, stderr } = await run({
      command: `select 9007199254740993 as big, 0.10 as exact, true as yes, null as nothing, 'a "b"' as text,
                       '{"x": [1, 1.50]}'::json as document, 'NaN'::float8 as odd, array[1, 2] as list`,
    });
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe(
      '{"big":9007199254740993,"exact":0.10,"yes":true,"nothing":null,"text":"a \\"b\\"","document":{"x": [1, 1.50]},"odd":"NaN","list":"{1,2}"}\n',
    );
    expect(stderr).toBe('1 row\n');
  });

  it('binds values: nothing in them is SQL', async () => {
    const name = `x'); drop table never; --`;
    const { end, stdout } = await run(
      {
        command:
          'select $1::text as name, $2::int + 1 as next, $3::text is null as empty, $4::jsonb as more;',
      },
      { parameters: ['${NAME}', 41, null, { a: [1] }], format: 'json' },
      { expand: (text) => text.replace('${NAME}', name) },
    );
    expect(end).toEqual({ exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual([{ name, next: 42, empty: true, more: { a: [1] } }]);
  });

  it('writes CSV to a file, distinguishing NULL from empty strings', async () => {
    const { end, stdout, step } = await run(
      {
        command: `select n, case n when 1 then 'a,"b"' when 2 then '' end as word from generate_series(1, 3) n`,
      },
      { format: 'csv', outputFile: 'out.csv' },
    );
    expect([end, stdout]).toEqual([{ exitCode: 0 }, '']);
    expect(readFileSync(join(step.workingDir, 'out.csv'), 'utf8')).toBe('n,word\n1,"a,""b"""\n2,""\n3,\n');
    expect(existsSync(join(step.workingDir, 'out.csv.part'))).toBe(false);
  });

  it('runs a script in one transaction', async () => {
    await under().database.runScript('create table if not exists jobs (id int primary key); truncate jobs');
    const failed = await run({ script: 'insert into jobs values (1); insert into jobs values (1);' });
    expect(failed.end).toEqual({
      exitCode: 1,
      error: expect.stringMatching(/duplicate key .*\(SQLSTATE 23505\)\nKey \(id\)=\(1\) already exists\./),
    });
    expect((await run({ command: 'select count(*) as n from jobs' })).stdout).toBe('{"n":0}\n');
    const apart = await run(
      { script: 'insert into jobs values (1); insert into jobs values (1);' },
      { transaction: false },
    );
    expect(apart.end.exitCode).toBe(1);
    const done = await run({ script: `insert into jobs values (2), (3); update jobs set id = id + 10;` });
    expect(done.stderr).toBe('5 rows written\n');
    expect((await run({ command: 'select id from jobs order by id' }, { format: 'csv' })).stdout).toBe(
      'id\n11\n12\n13\n',
    );
  });

  it('returns written rows, and can be read-only', async () => {
    await under().database.runScript('create table if not exists words (word text); truncate words');
    const insert = { command: 'insert into words values ($1) returning upper(word) as word;' };
    expect((await run(insert, { parameters: ['one'] })).stdout).toBe('{"word":"ONE"}\n');
    const refused = await run(insert, { parameters: ['two'], readOnly: true });
    expect(refused.end.error).toContain('SQLSTATE 25006');
  });

  it('fails when it exceeds the maximum number of rows, and changes nothing', async () => {
    await under().database.runScript('create table if not exists many (id int); truncate many');
    const read = await run(
      {
        command:
          'select 1 as n from generate_series(1, 1000) a, generate_series(1, 1000) b, generate_series(1, 1000) c',
      },
      { maxRows: 10 },
    );
    expect(read.end).toEqual({
      exitCode: 1,
      error: expect.stringContaining('more than 10 rows: add a LIMIT'),
    });
    expect(read.stdout).toBe('');
    const wrote = await run(
      { command: 'with n as (insert into many select generate_series(1, 11) returning id) select * from n' },
      { maxRows: 10 },
    );
    expect(wrote.end.exitCode).toBe(1);
    expect((await run({ command: '-- all\nselect count(*) as n from many' })).stdout).toBe('{"n":0}\n');
    expect((await run({ command: 'values (1), (2)' }, { maxRows: 2, format: 'csv' })).stdout).toBe(
      'column1\n1\n2\n',
    );
  });

  it('reads the query from a file', async () => {
    const workingDir = makeTemporaryFolder();
    writeFileSync(join(workingDir, 'q.sql'), '\uFEFFselect $1::int * 2 as n -- ${N}\n;\n');
    const choice = { workingDir };
    const { stdout } = await run({}, { queryFile: 'q.sql', parameters: [21] }, choice);
    expect(stdout).toBe('{"n":42}\n');
    const missing = await run({}, { queryFile: 'none.sql' }, choice);
    expect(missing.end.error).toContain('Cannot read config.queryFile, ');
  });

  it('cancels queries on timeout and stop', async () => {
    const endless = 'select count(*) from generate_series(1, 100000000000) n';
    const late = await run({ command: endless }, { timeout: 0.3 });
    expect(late.end.error).toContain('SQLSTATE 57014');
    const step = startStep({ kind: 'executor', type: 'sql', config: {}, command: endless }, { databases });
    await new Promise((resolve) => systemClock.after(200, () => resolve(undefined)));
    step.stop();
    expect((await step.ended).error).toBeDefined();
    expect((await run({ command: 'select 1 as n' })).stdout).toBe('{"n":1}\n');
  });

  it('queries the server of a URL', async () => {
    const { server } = under();
    const url = server?.url ?? 'postgres://joe:hunter2@127.0.0.1:1/app';
    const { end, stdout } = await run(
      { command: 'select 1 as n' },
      { connection: '${URL}' },
      { expand: (text) => text.replace('${URL}', url) },
    );
    if (server !== undefined) expect(stdout).toBe('{"n":1}\n');
    else {
      expect(end.error).toContain('Cannot connect to the database postgres://joe@127.0.0.1:1/app');
      expect(end.error).not.toContain('hunter2');
    }
  });
});

describe('invalid input', () => {
  it('rejects values that are not a list', async () => {
    const { end } = await runStep({
      kind: 'executor',
      type: 'sql',
      config: { parameters: 'x' },
      command: 'select 1',
    });
    expect(end.error).toContain(
      'config.parameters must be a list of values, such as ["${DAY}", 10]: one value for each $1, $2, …',
    );
  });
});
