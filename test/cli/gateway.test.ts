import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  engineArguments,
  engineEnvironment,
  fileAppears,
  makeTestHome,
  runEngine,
  startEngine,
  waitForText,
} from '../harness/home-and-command.ts';

beforeAll(() => import('../harness/setup/cache-database-code.ts'));

const schema = `
create domain app_id as uuid;
create table items (id app_id primary key, word text);
create table parts (id int) partition by list (id);
create table any_part partition of parts default;
insert into items values ('00000000-0000-0000-0000-000000000001', 'one'), ('00000000-0000-0000-0000-000000000002', null);
select word, 12345678901234567890.10::numeric as exact from items order by id;
`;

describe('engine gateway', () => {
  it('runs scripts on the embedded database, and describes its contents', async () => {
    const testHome = makeTestHome();
    writeFileSync(join(testHome.cwd, 'schema.sql'), schema);
    const { code, stdout } = await runEngine(testHome, ['gateway', 'psql', '-f', 'schema.sql']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        '2 rows affected\nword  exact\none   12345678901234567890.10\nNULL  12345678901234567890.10\n(2 rows)\n',
    });
    const status = await runEngine(testHome, ['gateway', 'status', '--format', 'json']);
    expect(JSON.parse(status.stdout)).toMatchObject({
      enabled: true,
      kind: 'embedded',
      place: join(testHome.home, 'data/gateway'),
      version: expect.stringMatching(/^\d+\.\d+$/),
      schemas: [{ name: 'public', relations: 2, domains: 1 }],
    });
    const piped = spawnSync(process.execPath, engineArguments(['gateway', 'psql', '--format', 'json']), {
      cwd: testHome.cwd,
      env: engineEnvironment(testHome),
      timeout: 50_000,
      input: '\uFEFFselect 9007199254740993 as big, null as nothing',
    });
    expect(JSON.parse(piped.stdout.toString())).toEqual({
      results: [{ columns: ['big', 'nothing'], rows: [['9007199254740993', null]], affected: 1 }],
    });
    const reload = await runEngine(testHome, ['gateway', 'reload', '--automatic']);
    expect(reload.stdout).toContain('after each change');
    const triggers = ['gateway', 'psql', '--command', 'select evtevent from pg_event_trigger order by 1'];
    expect((await runEngine(testHome, triggers)).stdout).toContain('ddl_command_end\nsql_drop\n');
    const missing = await runEngine(testHome, ['gateway'], { ENGINE_GATEWAY_SCHEMAS: 'api,public' });
    expect(missing.stdout).toContain('api (missing), public (2 relations, 1 domain)');
  }, 120_000);

  it('runs SQL of -c as psql does, and imports CSV files', async () => {
    const testHome = makeTestHome();
    const run = (...words: string[]) => runEngine(testHome, ['gateway', ...words]);
    const counted = await run('psql', '-c', 'create table notes (id int)', '-c', 'select 1 as one');
    expect(counted).toMatchObject({ code: 0, stdout: 'one\n1\n(1 row)\n' });
    writeFileSync(
      join(testHome.cwd, 'orders.csv'),
      '\uFEFFOrder No.;City;Paid\n1;"Bern; old";true\n2;;false\n',
    );
    expect((await run('import', 'orders.csv', '--table', 'orders')).stdout).toBe('Created orders: 2 rows.\n');
    expect((await run('import', 'orders.csv', '--table', 'orders')).stdout).toBe(
      'Appended to orders: 2 rows.\n',
    );
    const { stdout } = await run('psql', '-c', 'select * from orders where id in (1, 4)');
    expect(stdout).toBe(
      'id  order_no  city       paid\n1   1         Bern; old  t\n4   2         NULL       f\n(2 rows)\n',
    );
    writeFileSync(join(testHome.cwd, 'bad.csv'), 'order_no,paid\n3,maybe\n4\n');
    const broken = await run('import', 'bad.csv', '--table', 'orders');
    expect(broken).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('line 3: 1 value instead of 2'),
    });
    writeFileSync(join(testHome.cwd, 'bad.csv'), 'order_no,paid\n3,maybe\n');
    const rejected = await run('import', 'bad.csv', '--table', 'orders');
    expect(rejected.stderr).toContain('line 2: invalid input syntax for type boolean: "maybe"');
    expect((await run('psql', '-c', 'select count(*) from orders')).stdout).toContain('\n4\n');
    const copied = await run('psql', '-c', `copy orders from '/none/orders.csv'`);
    expect(copied.stderr).toContain('engine gateway import FILE --table TABLE');
    expect(copied.stderr).not.toContain('copy.');
  }, 120_000);

  it('recovers after a command that was killed while it created the database', async () => {
    const testHome = makeTestHome();
    const folder = join(testHome.home, 'data/gateway');
    const first = startEngine(testHome, ['gateway', 'psql', '--command', 'select 1']);
    await fileAppears(join(folder, 'pgdata.new'));
    first.kill('SIGKILL');
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(join(folder, 'pgdata'))).toBe(false);
    const second = await runEngine(testHome, ['gateway', 'psql', '--command', 'select 2 as two']);
    expect(second).toMatchObject({ code: 0, stdout: 'two\n2\n(1 row)\n' });
    expect(readdirSync(folder)).toEqual(['lock', 'pgdata']);
  });

  it('shows where a script is wrong', async () => {
    const testHome = makeTestHome();
    writeFileSync(join(testHome.cwd, 'wrong.sql'), 'create table kept (id int);\n\\i other.sql\n');
    const { code, stderr } = await runEngine(testHome, ['gateway', 'psql', '-f', 'wrong.sql']);
    expect(code).toBe(2);
    expect(stderr).toContain('line 2: "\\i" is a psql meta-command, not SQL');
    const json = await runEngine(testHome, ['gateway', 'psql', '--command', 'selec', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'bad_request', details: { sqlstate: '42601', position: 1 } },
    });
    const none = await runEngine(testHome, ['gateway', 'psql', '-f', 'none.sql']);
    expect(none).toMatchObject({ code: 3, stderr: expect.stringMatching(/Cannot read .*none\.sql/) });
  });

  it('works through a server that has the database open, and makes it reload', async () => {
    const testHome = makeTestHome();
    const server = startEngine(testHome, ['server', '--port', '0']);
    await waitForText(server.stdout, /ready at \S+\n/);
    const url = /ready at (\S+)/.exec(server.stdout())![1]!;
    const get = async (path: string) => fetch(`${url}/gateway/${path}`);
    expect((await get('items')).status).toBe(404);
    writeFileSync(join(testHome.cwd, 'schema.sql'), schema);
    expect((await runEngine(testHome, ['gateway', 'psql', '-f', 'schema.sql'])).code).toBe(0);
    expect((await runEngine(testHome, ['gateway', 'reload'])).code).toBe(0);
    const answer = await get('items?select=word&word=eq.one');
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: [{ word: 'one' }],
    });
  });

  it('writes a backup and restores it', async () => {
    const testHome = makeTestHome();
    const psql = (sql: string) => runEngine(testHome, ['gateway', 'psql', '--command', sql]);
    await psql(schema);
    const { code, stdout } = await runEngine(testHome, ['gateway', 'backup', 'copy.tar.gz']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/copy\.tar\.gz: [\d.]+ MB\n/),
    });
    expect(statSync(join(testHome.cwd, 'copy.tar.gz')).mode % 0o100).toBe(0);
    await psql('delete from items');
    const restore = ['gateway', 'restore', 'copy.tar.gz', '--force', '--format', 'json'];
    const restored = await runEngine(testHome, restore);
    const { keptDatabase } = JSON.parse(restored.stdout) as { keptDatabase: string };
    expect(existsSync(join(keptDatabase, 'PG_VERSION'))).toBe(true);
    expect((await psql('select count(*) from items')).stdout).toBe('count\n2\n(1 row)\n');
    const left = readdirSync(join(testHome.home, 'data/gateway'));
    expect(left.filter((name) => name.includes('restoring'))).toEqual([]);
  }, 120_000);

  it('restores neither an invalid backup nor over existing data, and gives instructions for a server', async () => {
    const testHome = makeTestHome();
    const folder = join(testHome.home, 'data/gateway');
    mkdirSync(join(folder, 'pgdata'), { recursive: true });
    writeFileSync(join(testHome.cwd, 'none.tar.gz'), gzipSync('nothing'));
    const refused = await runEngine(testHome, ['gateway', 'restore', 'none.tar.gz']);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--force') });
    const damaged = await runEngine(testHome, ['gateway', 'restore', 'none.tar.gz', '--force']);
    expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was changed') });
    expect(readdirSync(folder).sort()).toEqual(['lock', 'pgdata']);
    for (const command of ['backup', 'restore']) {
      const remote = await runEngine(testHome, ['gateway', command, 'other.gz'], {
        ENGINE_GATEWAY_DATABASE_URL: 'postgres://localhost:1/app',
      });
      expect(remote).toMatchObject({ code: 2, stderr: expect.stringMatching(/pg_(dump|restore)/) });
    }
    expect(existsSync(join(testHome.cwd, 'other.gz'))).toBe(false);
  });

  it('is part of a backup of the home unless excluded, even while a server has it open', async () => {
    const testHome = makeTestHome();
    const server = startEngine(testHome, ['server', '--port', '0']);
    await waitForText(server.stdout, /ready at \S+\n/);
    const without = await runEngine(testHome, ['backup', 'empty.tar.gz', '--format', 'json']);
    expect(JSON.parse(without.stdout)).toMatchObject({ gateway: false });
    await fetch(`${/ready at (\S+)/.exec(server.stdout())![1]!}/gateway/items`);
    await runEngine(testHome, ['gateway', 'psql', '--command', schema]);
    const { stdout } = await runEngine(testHome, ['backup', 'home.tar.gz']);
    expect(stdout).toContain('(history, workflows, configuration, gateway database; no logs)');
    const left = await runEngine(testHome, ['backup', 'left.tar.gz', '--no-gateway', '--format', 'json']);
    expect(JSON.parse(left.stdout)).toMatchObject({ gateway: false });
    const busy = await runEngine(testHome, ['gateway', 'restore', 'home.tar.gz', '--force']);
    expect(busy).toMatchObject({ code: 4, stderr: expect.stringContaining('is in use') });
    const copy = { ...testHome, home: join(testHome.cwd, 'copy') };
    expect((await runEngine(copy, ['restore', 'home.tar.gz'])).code).toBe(0);
    expect(readdirSync(join(copy.home, 'data/gateway'))).toEqual(['pgdata']);
    const read = await runEngine(copy, ['gateway', 'psql', '--command', 'select count(*) from items']);
    expect(read.stdout).toBe('count\n2\n(1 row)\n');
  }, 120_000);

  it('names the unreachable server, without its password', async () => {
    const testHome = makeTestHome();
    const { code, stderr } = await runEngine(testHome, ['gateway', 'status'], {
      ENGINE_GATEWAY_DATABASE_URL: 'postgres://joe:hunter2@127.0.0.1:1/app',
    });
    expect(code).toBe(7);
    expect(stderr).toContain('Cannot connect to the database postgres://joe@127.0.0.1:1/app');
    expect(stderr).not.toContain('hunter2');
  });
});
