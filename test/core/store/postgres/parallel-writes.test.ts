import { Client } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { overrideTimings } from '../../../../core/base/timings.ts';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import { createStore, type Store } from '../../../../core/store/open-store.ts';
import type { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { toLockKey } from '../../../../core/store/postgres/transaction.ts';
import type { WebhookSettings } from '../../../../core/store/types/webhooks.ts';
import { SessionPool } from '../../../../core/store/postgres/session-pool.ts';
import type { TestPostgres } from '../../../harness/servers/postgres.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openMemoryDatabase, owner } from '../store-harness.ts';

const node = { section: 'step', name: 'one' } as const;
const started: RunEvent[] = [
  { type: 'run.started', logDir: 'logs' },
  { type: 'step.started', node, attempt: 1, dir: 'one' },
];
const finished: RunEvent[] = [
  { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 },
  { type: 'run.finished', status: 'succeeded', outputs: {} },
];

/** Two hosts with an open database. A wait for a lock is short. */
async function openHosts(server: TestPostgres): Promise<{
  here: PostgresDatabase;
  there: Store;
  thereDatabase: PostgresDatabase;
}> {
  // The settings of a connection.
  overrideTimings({ databaseLock: 300 });
  onTestFinished(() => overrideTimings({}));
  const url = newSchemaUrl(server);
  const [here, thereDatabase] = [openForTest(url), openForTest(url)];
  const there = createStore(thereDatabase);
  await there.ready();
  await createStore(here).ready();
  return { here, there, thereDatabase };
}

/** Counts the requests since the last call. */
function countRoundTrips(): () => number {
  const request = vi.spyOn(SessionPool.prototype, 'request');
  onTestFinished(() => void vi.restoreAllMocks());
  return () => {
    const count = request.mock.calls.length;
    request.mockClear();
    return count;
  };
}

/** Runs an action while another connection has an open transaction with these statements. */
async function during(
  { url, schema }: { url: string; schema: string },
  statements: readonly string[],
  action: () => Promise<void>,
): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(`SET search_path TO ${schema}; BEGIN`);
    for (const statement of statements) await client.query(statement);
    await action();
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

const lock = (name: string): string => `SELECT pg_advisory_xact_lock(${toLockKey(name)})`;

describeOnServers('parallel writes', (server) => {
  it('cost two round trips for a new run, and one for a commit of events with those after it', async () => {
    const store = createStore(openForTest(newSchemaUrl(server())));
    await createOwnedRun(store);
    const take = countRoundTrips();
    const run = await store.createRun(describeRun({ owner }), 1);
    expect(take()).toBe(2);
    const write = async (events: readonly RunEvent[]): Promise<void> => {
      const cursor = { afterId: await store.lastEventId(), limit: 10 };
      take();
      const batch = { runKey: run.key, epoch: run.epoch, events: events.map((event) => ({ at: 1, event })) };
      const { outcomes, events: stored } = await store.append([batch], cursor);
      expect(outcomes).toEqual([{ outcome: 'written' }]);
      expect(stored.map(({ event }) => event)).toEqual(events);
      expect(take()).toBe(1);
    };
    await write(started);
    await write(finished);
    const detail = (await store.getDetail(run))!;
    expect(detail.steps).toMatchObject([{ status: 'succeeded' }]);
    expect(await store.getSpec(run)).toEqual({ run: detail.run, spec: detail.spec });
    take();
    await store.beat(owner, 3);
    expect(take()).toBe(1);
  });

  it('read a run again that another host has taken over', async () => {
    const { there, here } = await openHosts(server());
    const { run, write } = await createOwnedRun(there);
    expect(await write(started)).toEqual({ outcome: 'written' });
    const other = { ...owner, pid: 2, id: 'other' };
    const claim = {
      runKey: run.key,
      epoch: run.epoch,
      owner: other,
      by: 'other',
      from: 'one',
      reason: 'lost',
    };
    const taken = await createStore(here).claimOrphanedRun(claim, 3);
    expect(await write(finished)).toMatchObject({ outcome: 'stale' });
    expect(await there.findRun(run)).toMatchObject({ status: 'running', epoch: taken.epoch });
  });

  it('store the events for a webhook that was added in between', async () => {
    const { there, here } = await openHosts(server());
    const { write } = await createOwnedRun(there);
    await write(started);
    await here.perform(() =>
      here.run(/* sql */ `
      INSERT INTO webhook_hook (kind, owner, target_id, url, format, secrets, verify_tls, active, events, options, created_at, updated_at)
      VALUES ('repository', 'local/local', 1, 'http://x', 'json', '[]', 1, 1, '["*"]', '{}', 1, 1)`),
    );
    expect(await write(finished)).toEqual({ outcome: 'written' });
    expect((await here.perform(() => here.all('SELECT id FROM webhook_event'))).length).toBeGreaterThan(0);
  });

  it('do not wait for each other, except to number their events', async () => {
    const { here, there } = await openHosts(server());
    const { run, write } = await createOwnedRun(there);
    const other = { url: server().url, schema: here.schema };
    const schemaLock = `SELECT pg_advisory_xact_lock_shared(${toLockKey(here.schema)})`;
    await during(other, [schemaLock, "INSERT INTO spec (sha256, text) VALUES ('a', 'a')"], async () => {
      await there.createRun(describeRun(), 1);
      expect(await write(started)).toEqual({ outcome: 'written' });
    });
    const addEvent = `INSERT INTO event (run_key, at, type, data) VALUES (${run.key}, 5, 'run.message', '{}')`;
    await during(other, [lock(`${here.schema}/events`), addEvent], async () => {
      await expect(write(finished)).rejects.toThrow(expect.objectContaining({ code: 'unavailable' }));
    });
    expect(await write(finished)).toEqual({ outcome: 'written' });
    expect((await there.listEvents(0, 100, run)).map(({ event }) => event.type)).toEqual([
      'run.created',
      ...started.map(({ type }) => type),
      'run.message',
      ...finished.map(({ type }) => type),
    ]);
  });

  it('lock again what a rolled-back part had locked', async () => {
    const { here } = await openHosts(server());
    const add = (): void => {
      here.lock('things');
      here.run('INSERT INTO event (run_key, at, type, data) SELECT key, 1, 1, 1 FROM run');
    };
    const write = here.transact.bind(here, () => {
      const fail = (): void => {
        add();
        throw new Error('no');
      };
      expect(() => here.savepoint(fail)).toThrow('no');
      add();
    });
    const schema = { url: server().url, schema: here.schema };
    await during(schema, [lock(`${here.schema}/things`)], async () => {
      await expect(write()).rejects.toThrow(/lock timeout/);
    });
    await write();
  });

  it('count the runs of one workflow in turns', async () => {
    const { here, there } = await openHosts(server());
    const limited = describeRun({ maxActiveRuns: 1 });
    const other = { url: server().url, schema: here.schema };
    await during(other, [lock(`${here.schema}/workflow ${limited.name}`)], async () => {
      await expect(there.createRun(limited, 1)).rejects.toThrow(
        expect.objectContaining({ code: 'unavailable' }),
      );
      await there.createRun(describeRun({ name: 'other', maxActiveRuns: 1 }), 1);
    });
    await there.createRun(limited, 1);
    const again = describeRun({ maxActiveRuns: 1, dagRunId: 'again' });
    await expect(there.createRun(again, 1)).rejects.toThrow(
      expect.objectContaining({ code: 'max_run_reached' }),
    );
  });

  it('fail as a whole when a change of one row finds another number', async () => {
    const { here } = await openHosts(server());
    const write = (): Promise<void> =>
      here.perform(() =>
        here.writeParallel(() => {
          here.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
          here.runOne(() => new Error('unused'), "UPDATE spec SET text = 'b' WHERE sha256 = ?", 'c');
        }),
      );
    await expect(write).rejects.toThrow(/division by zero/);
    expect(await here.perform(() => here.all('SELECT text FROM spec'))).toEqual([]);
  });

  it('return the events of other hosts up to their own', async () => {
    const { here, there } = await openHosts(server());
    const { run, epoch } = await createOwnedRun(there);
    const cursor = { afterId: await there.lastEventId(), limit: 10 };
    await createStore(here).createRun(describeRun({ dagRunId: 'theirs' }), 1);
    const batch = { runKey: run.key, epoch, events: [{ at: 1, event: started[0]! }] };
    const { events } = await there.append([batch], cursor);
    expect(events.map(({ dagRunId }) => dagRunId)).toEqual(['theirs', run.dagRunId]);
  });
});

describeOnServers('events of runs that webhooks receive', (server) => {
  it('are stored as on SQLite, which reads what it has written', async () => {
    const expected = await writeReported(createStore(openMemoryDatabase()));
    const written = await writeReported(createStore(openForTest(newSchemaUrl(server()))));
    expect(written).toEqual(expected);
    const { events } = written;
    expect(events.map(({ event, action }) => [event, action])).toEqual([
      ['workflow_run', 'in_progress'],
      ...Array.from({ length: 2 }, () => [
        ['workflow_job', 'queued'],
        ['workflow_job', 'in_progress'],
        ['check_run', 'created'],
      ]).flat(),
      ...Array.from({ length: 2 }, () => [
        ['workflow_job', 'completed'],
        ['check_run', 'completed'],
      ]).flat(),
      ['workflow_run', 'completed'],
      ['status', undefined],
    ]);
  });
});

describeOnServers('events of runs that notifications report', (server) => {
  it('are stored as on SQLite', async () => {
    const expected = await writeNotified(createStore(openMemoryDatabase()));
    const written = await writeNotified(createStore(openForTest(newSchemaUrl(server()))));
    expect(written).toEqual(expected);
    expect(written.events.map(({ type, failures }) => [type, failures])).toEqual([
      ['run.failed', 1],
      ['run.failed', 2],
      ['run.recovered', 2],
    ]);
  });
});

/** Ends three runs of a workflow, two of them in one commit, and returns the events. */
async function writeNotified(store: Store) {
  const [one, two, three] = [
    await createOwnedRun(store, { dagRunId: '1' }),
    await createOwnedRun(store, { dagRunId: '2' }),
    await createOwnedRun(store, { dagRunId: '3' }),
  ];
  await createWebhook(store, { channel: { kind: 'desktop' }, owner: 'desk' });
  const failed: RunEvent = { type: 'run.finished', status: 'failed', outputs: {}, error: 'Out of memory' };
  const events = [started[0]!, failed].map((event, index) => ({ at: 2000 + index, event }));
  const { outcomes } = await store.append(
    [one, two].map(({ run, epoch }) => ({ runKey: run.key, epoch, events })),
  );
  await three.write([started[0]!, finished[1]!], 3000);
  return { outcomes, events: await store.notifications.listNewEvents(9) };
}

/** Returns the webhook events of a run and its sub-run. */
async function writeReported(store: Store) {
  const { run, write } = await createOwnedRun(store, { dagRunId: 'outer' });
  const child = await createOwnedRun(store, {
    ...{ name: 'inner', dagRunId: 'inner', root: run },
    parent: { ...run, step: 'call' },
  });
  await createWebhook(store);
  await write(started);
  await child.write([...started, { type: 'step.ended', node, status: 'failed', reason: 'lost' }]);
  await write(finished, 3000);
  const events = await store.webhooks.listNewEvents(99);
  return {
    events: events.map(({ event, action, payload }) => ({
      event,
      action,
      payload: JSON.parse(payload!) as unknown,
    })),
  };
}

const createWebhook = (store: Store, settings: Partial<WebhookSettings> = {}) =>
  store.webhooks.createWebhook(
    {
      ...{
        kind: 'repository',
        owner: 'local/stepwright',
        targetId: 1,
        url: 'http://127.0.0.1:9/',
        format: 'json',
      },
      ...{ secrets: [], verifyTls: true, active: true, events: ['*'], options: {} },
      ...settings,
    },
    1,
  );

describeOnServers('transactions that do not block', (server) => {
  const insert = (database: PostgresDatabase, text: string): void =>
    void database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', text, text);
  const count = (database: PostgresDatabase): number =>
    database.get<{ found: number }>('SELECT count(*) AS found FROM spec')!.found;
  const add = (database: PostgresDatabase, text: string): Promise<void> =>
    database.perform(() => insert(database, text));
  const countAll = (database: PostgresDatabase): Promise<number> => database.perform(() => count(database));

  it('run again when what they have read has changed', async () => {
    const { here, thereDatabase } = await openHosts(server());
    const seen: number[] = [];
    let adding: Promise<void> | undefined;
    const counted = await here.transact(() => {
      const found = count(here);
      seen.push(found);
      insert(here, `ours after ${found}`);
      adding ??= add(thereDatabase, 'theirs');
      return found;
    });
    await adding;
    const texts = await here.perform(() => here.all<{ text: string }>('SELECT text FROM spec ORDER BY key'));
    // Both orders are right; what was counted is what there was.
    expect(texts.map(({ text }) => text)).toEqual(
      counted === 1 ? ['theirs', 'ours after 1'] : ['ours after 0', 'theirs'],
    );
    expect(seen.at(-1)).toBe(counted);
  });

  it('take their locks first when others change what they read each time', async () => {
    const { here, thereDatabase } = await openHosts(server());
    const request = SessionPool.prototype.request;
    let theirs = 0;
    // Before each of the first commits, another host changes what was counted.
    const spy = vi.spyOn(SessionPool.prototype, 'request').mockImplementation(async function (
      this: SessionPool,
      asked,
    ) {
      const isOurs = asked.steps.some(({ values }) => values?.includes('ours'));
      if (isOurs && asked.ends === true && theirs < 3) await add(thereDatabase, `theirs ${(theirs += 1)}`);
      return await request.call(this, asked);
    });
    onTestFinished(() => spy.mockRestore());
    const counted = await here.transact(() => {
      const found = count(here);
      insert(here, 'ours');
      return found;
    });
    expect({ counted, theirs }).toEqual({ counted: 3, theirs: 3 });
  });

  it('may read what they have written', async () => {
    const { here } = await openHosts(server());
    const counted = await here.transact(() => {
      insert(here, 'ours');
      return count(here);
    });
    expect(counted).toBe(1);
  });

  it('hold no lock while their reads are on their way', async () => {
    const { here, thereDatabase } = await openHosts(server());
    const writing = here.transact(() => {
      here.lock('name');
      const found = count(here);
      insert(here, `ours after ${found}`);
    });
    // Takes the schema's lock alone.
    await thereDatabase.perform(() => thereDatabase.write(() => insert(thereDatabase, 'theirs')));
    await here.perform(() => here.write(() => insert(here, 'ours')));
    await writing;
    expect(await countAll(here)).toBe(3);
  });

  it('change nothing when their condition is not met', async () => {
    const { here } = await openHosts(server());
    const condition = (value: number) => ({ sql: 'SELECT 1 AS one WHERE ? = 2', values: [value] });
    const write = (): string => (insert(here, 'a'), 'written');
    expect(await here.transactIf(condition(1), write)).toBeUndefined();
    expect(await countAll(here)).toBe(0);
    expect(await here.transactIf(condition(2), write)).toBe('written');
    expect(await countAll(here)).toBe(1);
  });

  it('change nothing when a statement fails, and reject with its error', async () => {
    const { here } = await openHosts(server());
    const writing = here.transact(() => {
      insert(here, 'a');
      here.runOne(() => new Error('unused'), "UPDATE spec SET text = 'b' WHERE sha256 = ?", 'c');
    });
    await expect(writing).rejects.toThrow(/division by zero/);
    expect(await countAll(here)).toBe(0);
  });
});
