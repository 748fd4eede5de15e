import { expect, it, onTestFinished, vi } from 'vitest';
import { overrideTimings } from '../../../../core/base/timings.ts';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import { insertEvent } from '../../../../core/store/events/events.ts';
import { createStore, type Store } from '../../../../core/store/open-store.ts';
import type { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { SyncConnection } from '../../../../core/store/postgres/sync-connection.ts';
import { until } from '../../../harness/resources.ts';
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

/** Counts the requests that are waited for. */
function countRoundTrips(): () => number {
  const ask = vi.spyOn(SyncConnection.prototype, 'ask');
  onTestFinished(() => ask.mockRestore());
  return () => {
    const { length } = ask.mock.calls;
    ask.mockClear();
    return length;
  };
}

describeOnServers('parallel writes', (server) => {
  it('cost two round trips for a new run, one for a commit of events, and none for the events after it', () => {
    const store = createStore(openForTest(newSchemaUrl(server())));
    createOwnedRun(store);
    const take = countRoundTrips();
    const run = store.createRun(describeRun({ owner }), 1);
    expect(take()).toBe(2);
    const write = (events: readonly RunEvent[]): void => {
      const cursor = { afterId: store.lastEventId(), limit: 10 };
      take();
      const batch = { runKey: run.key, epoch: run.epoch, events: events.map((event) => ({ at: 1, event })) };
      expect(store.append([batch], cursor)).toEqual([{ outcome: 'written' }]);
      expect(store.listEvents(cursor.afterId, cursor.limit).map(({ event }) => event)).toEqual(events);
      expect(take()).toBe(1);
    };
    write(started);
    write(finished);
    expect(store.getDetail(run)?.steps).toMatchObject([{ status: 'succeeded' }]);
    expect(take()).toBe(2);
    store.beat(owner, 3);
    expect(take()).toBe(1);
  });

  it('read a run again that another host has taken over', () => {
    const { there, here } = openHosts(server());
    const { run, write } = createOwnedRun(there);
    expect(write(started)).toEqual({ outcome: 'written' });
    const other = { ...owner, pid: 2, id: 'other' };
    const claim = {
      runKey: run.key,
      epoch: run.epoch,
      owner: other,
      by: 'other',
      from: 'one',
      reason: 'lost',
    };
    const taken = createStore(here).claimOrphanedRun(claim, 3);
    expect(write(finished)).toMatchObject({ outcome: 'stale' });
    expect(there.findRun(run)).toMatchObject({ status: 'running', epoch: taken.epoch });
  });

  it('store the events for a webhook that was added in between', () => {
    const { there, here } = openHosts(server());
    const { write } = createOwnedRun(there);
    write(started);
    here.run(/* sql */ `
      INSERT INTO webhook_hook (kind, owner, target_id, url, format, secrets, verify_tls, active, events, options, created_at, updated_at)
      VALUES ('repository', 'local/local', 1, 'http://x', 'json', '[]', 1, 1, '["*"]', '{}', 1, 1)`);
    expect(write(finished)).toEqual({ outcome: 'written' });
    expect(here.all('SELECT id FROM webhook_event').length).toBeGreaterThan(0);
  });

  it('do not wait for each other, except to number their events', () => {
    const { here, there } = openHosts(server());
    const { run, write } = createOwnedRun(there);
    here.writeParallel(() => {
      here.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
      here.get('SELECT 1 AS sent');
      there.createRun(describeRun(), 1);
      expect(write(started)).toEqual({ outcome: 'written' });
    });
    here.writeParallel(() => {
      insertEvent(here, run.key, 5, { type: 'run.message', level: 'info', message: 'first' });
      here.get('SELECT 1 AS sent');
      expect(() => write(finished)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    });
    expect(write(finished)).toEqual({ outcome: 'written' });
    expect(there.listEvents(0, 100, run).map(({ event }) => event.type)).toEqual([
      'run.created',
      ...started.map(({ type }) => type),
      'run.message',
      ...finished.map(({ type }) => type),
    ]);
  });

  it('count the runs of one workflow in turns', () => {
    const { here, there } = openHosts(server());
    const limited = describeRun({ maxActiveRuns: 1 });
    here.writeParallel(() => {
      here.lock(`workflow ${limited.name}`);
      here.get('SELECT 1 AS sent');
      expect(() => there.createRun(limited, 1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
      there.createRun(describeRun({ name: 'other', maxActiveRuns: 1 }), 1);
    });
    there.createRun(limited, 1);
    const again = describeRun({ maxActiveRuns: 1, dagRunId: 'again' });
    expect(() => there.createRun(again, 1)).toThrow(expect.objectContaining({ code: 'max_run_reached' }));
  });

  it('change nothing when their condition is not met', () => {
    const { here, there } = openHosts(server());
    const write = (): string => {
      here.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
      return 'written';
    };
    expect(here.writeIf({ sql: 'SELECT 1 AS one WHERE ? = 2', values: [1] }, write)).toBeUndefined();
    expect(here.all('SELECT text FROM spec')).toEqual([]);
    expect(here.writeIf({ sql: 'SELECT 1 AS one WHERE ? = 2', values: [2] }, write)).toBe('written');
    expect(here.all('SELECT text FROM spec')).toEqual([{ text: 'a' }]);
    there.createRun(describeRun(), 1);
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

  it('read the events again when another host has committed after them', async () => {
    const { here, there, thereDatabase } = openHosts(server());
    const { run, epoch } = createOwnedRun(there);
    const cursor = { afterId: there.lastEventId(), limit: 10 };
    const before = thereDatabase.dataVersion();
    there.append([{ runKey: run.key, epoch, events: [{ at: 1, event: started[0]! }] }], cursor);
    createStore(here).createRun(describeRun({ dagRunId: 'theirs' }), 1);
    await until(() => thereDatabase.dataVersion() !== before);
    expect(there.listEvents(cursor.afterId, cursor.limit).map(({ dagRunId }) => dagRunId)).toEqual([
      run.dagRunId,
      'theirs',
    ]);
  });
});
