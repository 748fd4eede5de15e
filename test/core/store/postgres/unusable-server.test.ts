import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppError } from '../../../../core/base/errors.ts';
import { createStore, prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { TestPostgres, missingForPostgres, postgresVersions } from '../../../harness/servers/postgres.ts';
import { describeRun, thrownBy } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Proxies the connection, but reports an older release of the same length, so that messages stay valid. */
const relayCode = `
const { connect, createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const relay = createServer((near) => {
  const far = connect(workerData.port, workerData.host);
  near.on('error', () => far.destroy()).on('close', () => far.destroy());
  far.on('error', () => near.destroy()).on('close', () => near.destroy());
  near.pipe(far);
  far.on('data', (bytes) =>
    near.write(Buffer.from(bytes.toString('latin1').replace(/1[5-8]00\\d\\d/, '140012'), 'latin1')));
});
relay.listen(0, '127.0.0.1', () => parentPort.postMessage(relay.address().port));
`;

/** URL of a server that claims to be an older release. In a thread: the store blocks the event loop. */
async function setOlderVersion(url: string): Promise<string> {
  const address = new URL(url);
  const workerData = { port: Number(address.port), host: address.hostname };
  const relay = new Worker(relayCode, { eval: true, workerData });
  onTestFinished(async () => void (await relay.terminate()));
  const [port] = (await once(relay, 'message')) as [number];
  address.port = String(port);
  return address.href;
}

/** Opens a store in vain. */
const openError = (url: string): Promise<AppError> => thrownBy(() => prepareServerDatabase(url));

describeOnServers('an unusable server', (server) => {
  it('that is too old is rejected with the required release', async () => {
    const url = await setOlderVersion(newSchemaUrl(server()));
    const error = await openError(url);
    expect(error.code).toBe('home_unusable');
    expect(error.message).toMatch(/PostgreSQL 14 is not supported; version 15 or newer is required/);
  });

  it('with a database of another encoding is rejected with a hint', async () => {
    const client = new Client(server().url);
    await client.connect();
    await client.query('DROP DATABASE IF EXISTS latin');
    await client.query(
      "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    );
    await client.end();
    const url = new URL(newSchemaUrl(server()));
    url.pathname = '/latin';
    expect(await openError(url.href)).toMatchObject({
      code: 'home_unusable',
      message: expect.stringContaining("create the database with ENCODING 'UTF8'") as string,
    });
  });

  it('that rejects the password or the user is described with the setting to check', async () => {
    const client = new Client(server().url);
    await client.connect();
    const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file');
    const file = rows[0]!.hba_file;
    const rules = readFileSync(file, 'utf8');
    writeFileSync(file, `host all locked 127.0.0.1/32 scram-sha-256\n${rules}`);
    await client.query("DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'");
    await client.query('SELECT pg_reload_conf()');
    const url = new URL(newSchemaUrl(server()));
    [url.username, url.password] = ['locked', 'wrong'];
    const open = () => openError(url.href);
    // The server reads its rules again a moment later.
    let error = await open();
    while (!error.message.includes('password')) error = await open();
    writeFileSync(file, rules);
    await client.query('SELECT pg_reload_conf()');
    await client.end();
    expect(error).toMatchObject({
      code: 'home_unusable',
      message: expect.stringMatching(
        /password authentication failed for user "locked"; check the user and the password in the URL/,
      ) as string,
    });
    expect(error.message).not.toContain('wrong');
    url.username = 'absent';
    expect((await openError(url.href)).message).toMatch(
      /role "absent" does not exist; check the user and the password/,
    );
  });

  it('with a user without rights is rejected before anything is written, with the rights to grant', async () => {
    const client = new Client(server().url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(
      `DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
    const url = new URL(newSchemaUrl(server()));
    const schema = url.searchParams.get('schema')!;
    const asReader = new URL(url);
    asReader.username = 'reader';
    const open = () => openError(asReader.href);
    expect(await open()).toMatchObject({
      code: 'home_unusable',
      message: expect.stringMatching(/Grant its user CREATE on the database/) as string,
    });
    await prepareServerDatabase(url.href);
    expect((await open()).message).toMatch(
      /may not use schema own_\w+; make the user the owner of schema own_/,
    );
    await client.query(
      `GRANT USAGE ON SCHEMA ${schema} TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader`,
    );
    expect(await open()).toMatchObject({
      code: 'home_unusable',
      message: expect.stringMatching(
        /may not write the table \w+; make the user the owner of schema own_\w+, or grant it USAGE/,
      ) as string,
    });
    await client.query(
      `GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO reader; GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO reader`,
    );
    await createStore(openForTest(asReader.href)).createRun(describeRun(), 1);
  });

  it('in read-only mode rejects writes as temporarily unavailable', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const error = await thrownBy(async () => {
      try {
        await database.perform(() =>
          database.write(() => {
            database.execute('SET TRANSACTION READ ONLY');
            database.run('UPDATE schema_version SET version = 1');
          }),
        );
      } catch (cause) {
        throw database.toStoreError(cause);
      }
    });
    expect(error).toMatchObject({ code: 'unavailable', details: { sqlstate: '25006' } });
    expect(error.message).toMatch(/The database .* is read-only \(.*\), for example a standby\./);
  });

  it('with a full disk rejects writes, and continues when there is space', async () => {
    const url = newSchemaUrl(server());
    const database = openForTest(url);
    const store = createStore(database);
    await database.perform(() =>
      database.execute(`
      CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
      END $$;
      CREATE TRIGGER fill BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION fill()`),
    );
    const error = await thrownBy(async () => {
      try {
        await store.createRun(describeRun(), 1);
      } catch (cause) {
        throw database.toStoreError(cause);
      }
    });
    expect(error).toMatchObject({ code: 'storage_full', details: { sqlstate: '53100' } });
    expect(error.message).toMatch(/No space left on device.*Free some space on the disk of the server/);
    expect(await store.listRuns({ limit: 10 })).toEqual([]);
    await database.perform(() => database.execute('DROP TRIGGER fill ON event'));
    await store.createRun(describeRun(), 2);
    expect(await store.listRuns({ limit: 10 })).toHaveLength(1);
  });
});

for (const version of postgresVersions) {
  const missing = missingForPostgres(version);
  const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
  describe.skipIf(missing !== undefined)(`standby, PostgreSQL ${version}${lack}`, () => {
    it('is temporarily unavailable, with the necessary URL option; nothing is queried', async () => {
      const own = await TestPostgres.start(version);
      onTestFinished(() => own.close());
      const url = newSchemaUrl(own);
      openForTest(url).close();
      await own.becomeStandby();
      const error = await openError(url);
      expect(error.code).toBe('unavailable');
      expect(error.message).toMatch(/the server is a read-only standby; use the URL of the primary/);
      expect(error.message).not.toMatch(/Check the server and the network/);
    });
  });
}
