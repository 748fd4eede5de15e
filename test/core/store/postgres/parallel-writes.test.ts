import { Client } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { overrideTimings } from '../../../../core/base/timings.ts';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import { createStore, type Store } from '../../../../core/store/open-store.ts';
import { type PostgresDatabase, toLockKey } from '../../../../core/store/postgres/postgres-database.ts';
import { ThreadConnection } from '../../../../core/store/postgres/thread-connection.ts';
import type { TestPostgres } from '../../../harness/servers/postgres.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, owner } from '../store-harness.ts';

const node = { section: 'step', name: 'one' } as const;
const started: RunEvent[] = [
  { type: 'run.started', logDir: 'logs' },
  { type: 'step.started', node, attempt: 1, dir: 'one' },
];
const finished: RunEvent[] = [
  { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 },
  { type: 'run.finished', status: 'succeeded', outputs: {} },
];

/** Two hosts. A wait for a lock is short. */
function openHosts(server: TestPostgres): {
  here: PostgresDatabase;
  there: Store;
  thereDatabase: PostgresDatabase;
} {
  overrideTimings({ databaseLock: 300 });
  onTestFinished(() => overrideTimings({}));
  const url = newSchemaUrl(server);
  const thereDatabase = openForTest(url);
  return { here: openForTest(url), there: createStore(thereDatabase), thereDatabase };
}

/** Counts the requests since the last call: those that block the event loop, and others. */
function countRoundTrips(): () => { blocking: number; others: number } {
  const ask = vi.spyOn(ThreadConnection.prototype, 'ask');
  const request = vi.spyOn(ThreadConnection.prototype, 'request');
  onTestFinished(() => void vi.restoreAllMocks());
  return () => {
    const counts = { blocking: ask.mock.calls.length, others: request.mock.calls.length };
    ask.mockClear();
    request.mockClear();
    return counts;
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
    expect(take()).toEqual({ blocking: 0, others: 2 });
    const write = async (events: readonly RunEvent[]): Promise<void> => {
      const cursor = { afterId: store.lastEventId(), limit: 10 };
      take();
      const batch = { runKey: run.key, epoch: run.epoch, events: events.map((event) => ({ at: 1, event })) };
      const { outcomes, events: stored } = await store.append([batch], cursor);
      expect(outcomes).toEqual([{ outcome: 'written' }]);
      expect(stored.map(({ event }) => event)).toEqual(events);
      expect(take()).toEqual({ blocking: 0, others: 1 });
    };
    await write(started);
    await write(finished);
    expect(store.getDetail(run)?.steps).toMatchObject([{ status: 'succeeded' }]);
    take();
    await store.beat(owner, 3);
    expect(take()).toEqual({ blocking: 0, others: 1 });
  });

  it('read a run again that another host has taken over', async () => {
    const { there, here } = openHosts(server());
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
    expect(there.findRun(run)).toMatchObject({ status: 'running', epoch: taken.epoch });
  });

  it('store the events for a webhook that was added in between', async () => {
    const { there, here } = openHosts(server());
    const { write } = await createOwnedRun(there);
    await write(started);
    here.run(/* sql */ `
      INSERT INTO webhook_hook (kind, owner, target_id, url, format, secrets, verify_tls, active, events, options, created_at, updated_at)
      VALUES ('repository', 'local/local', 1, 'http://x', 'json', '[]', 1, 1, '["*"]', '{}', 1, 1)`);
    expect(await write(finished)).toEqual({ outcome: 'written' });
    expect(here.all('SELECT id FROM webhook_event').length).toBeGreaterThan(0);
  });

  it('do not wait for each other, except to number their events', async () => {
    const { here, there } = openHosts(server());
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

  it('count the runs of one workflow in turns', async () => {
    const { here, there } = openHosts(server());
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

  it('change nothing when their condition is not met', async () => {
    const { here, there } = openHosts(server());
    const write = (): string => {
      here.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
      return 'written';
    };
    expect(here.writeIf({ sql: 'SELECT 1 AS one WHERE ? = 2', values: [1] }, write)).toBeUndefined();
    expect(here.all('SELECT text FROM spec')).toEqual([]);
    expect(here.writeIf({ sql: 'SELECT 1 AS one WHERE ? = 2', values: [2] }, write)).toBe('written');
    expect(here.all('SELECT text FROM spec')).toEqual([{ text: 'a' }]);
    await there.createRun(describeRun(), 1);
  });

  it('fail as a whole when a change of one row finds another number', () => {
    const { here } = openHosts(server());
    const write = (): void =>
      here.writeParallel(() => {
        here.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
        here.runOne(() => new Error('unused'), "UPDATE spec SET text = 'b' WHERE sha256 = ?", 'c');
      });
    expect(write).toThrow(/division by zero/);
    expect(here.all('SELECT text FROM spec')).toEqual([]);
  });

  it('return the events of other hosts up to their own', async () => {
    const { here, there } = openHosts(server());
    const { run, epoch } = await createOwnedRun(there);
    const cursor = { afterId: there.lastEventId(), limit: 10 };
    await createStore(here).createRun(describeRun({ dagRunId: 'theirs' }), 1);
    const batch = { runKey: run.key, epoch, events: [{ at: 1, event: started[0]! }] };
    const { events } = await there.append([batch], cursor);
    expect(events.map(({ dagRunId }) => dagRunId)).toEqual(['theirs', run.dagRunId]);
  });
});

describeOnServers('transactions that do not block', (server) => {
  const insert = (database: PostgresDatabase, text: string): void =>
    void database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', text, text);
  const count = (database: PostgresDatabase): number =>
    database.get<{ found: number }>('SELECT count(*) AS found FROM spec')!.found;

  it('run again when what they have read has changed', async () => {
    const { here, thereDatabase } = openHosts(server());
    const seen: number[] = [];
    const counted = await here.transact(() => {
      const found = count(here);
      if (seen.push(found) === 1) insert(thereDatabase, 'theirs');
      insert(here, `ours after ${found}`);
      return found;
    });
    expect({ counted, seen }).toEqual({ counted: 1, seen: [0, 1] });
    expect(here.all('SELECT text FROM spec ORDER BY key')).toEqual([
      { text: 'theirs' },
      { text: 'ours after 1' },
    ]);
  });

  it('take their locks first when others change what they read each time', async () => {
    const { here, thereDatabase } = openHosts(server());
    let tries = 0;
    const counted = await here.transact(() => {
      const found = count(here);
      if ((tries += 1) <= 3) insert(thereDatabase, `theirs ${tries}`);
      insert(here, 'ours');
      return found;
    });
    expect({ counted, tries }).toEqual({ counted: 3, tries: 4 });
  });

  it('may read what they have written', async () => {
    const { here } = openHosts(server());
    const counted = await here.transact(() => {
      insert(here, 'ours');
      return count(here);
    });
    expect(counted).toBe(1);
  });

  it('hold no lock while their reads are on their way', async () => {
    const { here, thereDatabase } = openHosts(server());
    const writing = here.transact(() => {
      here.lock('name');
      const found = count(here);
      insert(here, `ours after ${found}`);
    });
    // Takes the schema's lock alone, and blocks this event loop until it has it.
    thereDatabase.write(() => insert(thereDatabase, 'theirs'));
    here.write(() => insert(here, 'ours, blocking'));
    await writing;
    expect(count(here)).toBe(3);
  });

  it('change nothing when their condition is not met', async () => {
    const { here } = openHosts(server());
    const condition = (value: number) => ({ sql: 'SELECT 1 AS one WHERE ? = 2', values: [value] });
    const write = (): string => (insert(here, 'a'), 'written');
    expect(await here.transactIf(condition(1), write)).toBeUndefined();
    expect(count(here)).toBe(0);
    expect(await here.transactIf(condition(2), write)).toBe('written');
    expect(count(here)).toBe(1);
  });

  it('change nothing when a statement fails, and reject with its error', async () => {
    const { here } = openHosts(server());
    const writing = here.transact(() => {
      insert(here, 'a');
      here.runOne(() => new Error('unused'), "UPDATE spec SET text = 'b' WHERE sha256 = ?", 'c');
    });
    await expect(writing).rejects.toThrow(/division by zero/);
    expect(count(here)).toBe(0);
  });
});
