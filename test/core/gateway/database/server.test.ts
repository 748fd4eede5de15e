import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../../../core/store/sql/database.ts';
import { readConnectionUrl } from '../../../../core/store/sql/connection-settings.ts';
import { ServerDatabase } from '../../../../core/gateway/database/server-database.ts';
import { Sessions } from '../../../../core/gateway/database/sessions.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';
import { TestPostgres, chownToServerUser, missingForPostgres } from '../../../harness/servers/postgres.ts';
import { until, createOnce, onTestCleanup } from '../../../harness/resources.ts';

const limits = { poolSize: 2, poolTimeoutMs: 5000, statementTimeoutMs: 10_000, preparesStatements: true };

function open(url: string, changes: Partial<typeof limits> = {}): ServerDatabase {
  const database = new ServerDatabase({ url, ...limits, ...changes }, systemClock, silentLogger);
  onTestCleanup(() => database.close());
  return database;
}

async function read(database: ServerDatabase, text: string, timeoutMs?: number): Promise<string | null> {
  const statements = [{ text, values: [] }];
  const [result] = await database.transact({ isReadOnly: true, statements, timeoutMs });
  return result!.rows[0]![0] ?? null;
}

const missing = missingForPostgres(15);

describe.skipIf(missing !== undefined)(
  `server${missing === undefined ? '' : ` (missing here: ${missing})`}`,
  () => {
    const server = createOnce(async () => {
      const started = await TestPostgres.start(15);
      onTestCleanup(() => started.close());
      return started;
    });

    it('is used again after a restart, by queries and listeners', async () => {
      const database = open(server().url);
      const heard: (string | undefined)[] = [];
      await database.listen('news', (payload) => heard.push(payload));
      expect(await read(database, 'select 1')).toBe('1');
      await server().stop();
      await expect(read(database, 'select 1')).rejects.toMatchObject({
        reason: 'unreachable',
        message: expect.stringContaining(`127.0.0.1:${server().port}`),
      });
      expect(database.status()).toMatchObject({
        state: 'failed',
        failure: expect.stringContaining('ECONNREFUSED'),
      });
      await server().begin();
      expect(await read(database, 'select 2')).toBe('2');
      expect(database.status()).toMatchObject({ state: 'open' });
      await until(() => heard.length === 1);
      expect(heard).toEqual([undefined]);
      await database.runScript(`notify news, 'again'`);
      await until(() => heard.length === 2);
    });

    it('is reconnected after connections broke', async () => {
      const database = open(server().url);
      await read(database, 'select 1');
      const other = open(server().url);
      await other.transact({
        isReadOnly: false,
        statements: [
          {
            text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stepwright-gateway' and pid <> pg_backend_pid()`,
            values: [],
          },
        ],
      });
      expect(await read(database, 'select 3')).toBe('3');
    });

    it('has a connection limit, and reports it to those who wait too long', async () => {
      const database = open(server().url, { poolTimeoutMs: 300 });
      const sleeping = [1, 2].map(() => read(database, `select pg_sleep(1)`));
      await until(() => database.status().state === 'open');
      const late = await read(database, 'select 1').catch((error: unknown) => error);
      expect(late).toBeInstanceOf(DatabaseUnavailable);
      expect(late).toMatchObject({
        reason: 'busy',
        message: expect.stringContaining('raise gateway.poolSize'),
      });
      await Promise.all(sleeping);
      expect(await read(database, 'select 4')).toBe('4');
    });

    const facts = `select current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only')
      || ' ' || current_setting('statement_timeout') || ' ' || coalesce(current_setting('app.note', true), '')`;

    it.each(['read committed', 'serializable'])(
      'with sessions of isolation %s applies the settings of a request, and resets them',
      async (isolation) => {
        await open(server().url).runScript(
          `alter role postgres set default_transaction_isolation = '${isolation}'`,
        );
        const database = open(server().url, { poolSize: 1 });
        const ask = async (text: string, note: string): Promise<string | null> => {
          const settings = [['app.note', note]] as const;
          const statements = [{ text, values: [] }];
          const [result] = await database.transact({
            isReadOnly: true,
            settings,
            statements,
            timeoutMs: 7000,
          });
          return result!.rows[0]![0] ?? null;
        };
        for (const note of ['one', `'; two`])
          expect(await ask(facts, note)).toBe(`read committed on 7s ${note}`);
        await expect(ask('create table left_behind (id int)', '')).rejects.toMatchObject({ code: '25006' });
        await expect(ask('select 1 / 0', '')).rejects.toMatchObject({ code: '22012' });
        const statements = [{ text: facts, values: [] }];
        const [after] = await database.transact({ isReadOnly: false, statements });
        expect(after!.rows).toEqual([['read committed off 10s ']]);
        await database.runScript('alter role postgres reset default_transaction_isolation');
      },
    );

    it('is dropped when it does not respond some time after the limit', async () => {
      const clock = new FakeClock();
      const database = new ServerDatabase({ url: server().url, ...limits }, clock, silentLogger);
      onTestCleanup(() => database.close());
      const statements = [{ text: `select pg_sleep(600)`, values: [] }];
      const ended = database
        .transact({ isReadOnly: false, statements, timeoutMs: 60_000 })
        .catch((error: unknown) => error);
      const sleeping = `select count(*)::text from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`;
      const other = open(server().url);
      let isAsleep = false;
      while (!isAsleep) isAsleep = (await read(other, sleeping)) === '1';
      clock.advance(120_000);
      clock.advance(10_000);
      expect(await ended).toMatchObject({ name: 'DatabaseUnavailable', reason: 'lost' });
    });

    it('keeps connections open, and returns idle ones to the pool', async () => {
      const clock = new FakeClock();
      const pool = new pg.Pool({ connectionString: server().url, max: 2 });
      pool.on('error', () => undefined);
      const sessions = new Sessions(pool, clock, { preparesStatements: true });
      onTestCleanup(() => sessions.close());
      const first = await sessions.take();
      sessions.release(first, true);
      expect(await sessions.take()).toBe(first);
      sessions.release(first, true);
      expect(pool.idleCount).toBe(0);
      clock.advance(1000);
      expect(pool.idleCount).toBe(0);
      clock.advance(1000);
      expect(pool.idleCount).toBe(1);
      expect((await sessions.take()).client).toBe(first.client);
      const second = await sessions.take();
      const waiting = sessions.take();
      sessions.release(second, true);
      expect((await waiting).client).toBe(second.client);
      sessions.release(first, true);
      sessions.release(second, true);
      await read(
        open(server().url),
        "select count(pg_terminate_backend(pid))::text from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      await until(() => pool.totalCount === 0);
      sessions.release(await sessions.take(), true);
    });

    it('with a failed login reports it without the password', async () => {
      const url = new URL(server().url);
      url.username = 'nobody';
      url.password = 'hunter2';
      const error = (await read(open(url.href), 'select 1').catch((reason: unknown) => reason)) as Error;
      expect(error.message).toContain('role "nobody" does not exist');
      expect(error.message).not.toContain('hunter2');
    });

    it('with a certificate is verified according to sslmode', async () => {
      const secure = await TestPostgres.start(15);
      onTestCleanup(() => secure.close());
      await secure.stop();
      const [key, cert] = [secure.place('server.key'), secure.place('server.crt')];
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-keyout',
          key,
          '-out',
          cert,
          '-days',
          '2',
          '-subj',
          '/CN=db.example.com',
        ],
        { stdio: 'pipe' },
      );
      chmodSync(key, 0o600);
      chownToServerUser(key);
      chownToServerUser(cert);
      await secure.begin(['ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`]);
      const ask = (query: string) =>
        read(
          open(`${secure.url}?${query}`),
          'select ssl::text from pg_stat_ssl where pid = pg_backend_pid()',
        );
      expect(await ask('sslmode=disable')).toBe('false');
      expect(await ask('sslmode=require')).toBe('true');
      expect(await ask(`sslmode=verify-ca&sslrootcert=${cert}`)).toBe('true');
      await expect(ask('sslmode=verify-full')).rejects.toThrow(/self-signed certificate/);
      await expect(ask(`sslmode=verify-full&sslrootcert=${cert}`)).rejects.toThrow(
        /does not match certificate/,
      );
      await expect(ask('sslmode=maybe')).rejects.toThrow(
        /has an unknown sslmode "maybe"\. Use one of disable/,
      );
      await expect(ask('sslrootcert=/none.pem&sslmode=verify-ca')).rejects.toThrow(/\/none\.pem/);
    });
  },
);

it('of a version that is too old is rejected with a hint', async () => {
  const message = (type: string, content: string | Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(content) + 4);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
  };
  const ready = message('Z', 'I');
  const values = ['12.22', '120022'].map((text) =>
    Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)]),
  );
  const column = Buffer.concat([Buffer.from('c\0'), Buffer.alloc(18)]);
  const answer = Buffer.concat([
    message('T', Buffer.concat([Buffer.from([0, 2]), column, column])),
    message('D', Buffer.concat([Buffer.from([0, 2]), ...values])),
    message('C', 'SELECT 1\0'),
    ready,
  ]);
  // Just enough of the protocol for the first query; no PostgreSQL that old is available.
  const old = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      socket.on('data', (asked) => (asked[0] === 0x51 ? socket.write(answer) : socket.end()));
    });
  }).listen(0, '127.0.0.1');
  onTestCleanup(() => void old.close());
  await once(old, 'listening');
  const { port } = old.address() as AddressInfo;
  const error = await read(open(`postgres://postgres@127.0.0.1:${port}/app`), 'select 1').catch(
    (reason: unknown) => reason,
  );
  expect((error as Error).message).toMatch(
    /requires PostgreSQL 13 or later, but \S+ is version 12\.22\. Upgrade it/,
  );
});

describe('server URL', () => {
  it.each([
    [
      'postgres://a%40b:p%2Fw@db.example.com:6432/app',
      { user: 'a@b', password: 'p/w', port: 6432, database: 'app', ssl: {} },
    ],
    ['postgresql://db.example.com', { host: 'db.example.com', ssl: {} }],
    ['postgres:///app?host=/run/postgresql&user=joe', { host: '/run/postgresql', user: 'joe', ssl: false }],
    ['postgres://[::1]:5433/app', { host: '::1', port: 5433, ssl: false }],
    ['postgres://localhost/app?application_name=x', { application_name: 'x', ssl: false }],
    ['postgres://h/app?sslmode=require', { ssl: { rejectUnauthorized: false } }],
  ])('%s is parsed as libpq does', (url, settings) => {
    expect(readConnectionUrl(url)).toMatchObject(settings);
  });

  it.each([
    ['mysql://h/app', /The database URL is invalid\. Use postgres:/],
    ['postgres://h/app?ssl_mode=require', /has an unknown parameter "ssl_mode" \(known: .*sslmode/],
    ['postgres://u:100%@h/app', /contains a % without a valid code\. Write a literal % as %25\./],
  ])('%s is rejected', (url, message) => {
    expect(() => readConnectionUrl(url)).toThrow(message);
  });
});
