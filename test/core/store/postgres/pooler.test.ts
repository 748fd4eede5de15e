import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import { createStore, openServerDatabase, prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { simulateRuns } from '../../../simulation/simulate-runs.ts';
import { openForTest } from '../../../harness/databases.ts';
import { until } from '../../../harness/resources.ts';
import { missingForPgBouncer, TestPgBouncer } from '../../../harness/servers/pgbouncer.ts';
import { sharePostgres } from '../../../harness/servers/postgres.ts';
import { createOwnedRun, describeRun } from '../store-harness.ts';

const missing = missingForPgBouncer();
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

describe.skipIf(missing !== undefined)(`PgBouncer in transaction mode${lack}`, () => {
  let pooler: TestPgBouncer;
  beforeAll(async () => {
    pooler = await TestPgBouncer.start(await sharePostgres(15));
  });
  afterAll(() => pooler.close());
  const newUrl = (): string => `${pooler.url}?schema=pooled_${randomUUID().slice(0, 8)}`;

  it('serves several hosts, each with its own schema', async () => {
    const hosts = [newUrl(), newUrl()].flatMap((url) => [openForTest(url), openForTest(url)]);
    const stores = hosts.map((host) => createStore(host));
    for (let round = 1; round <= 3; round += 1)
      for (const store of stores) {
        const { write } = await createOwnedRun(store);
        expect(await write([{ type: 'run.started', logDir: 'logs' }])).toEqual({ outcome: 'written' });
        expect(await write([{ type: 'run.finished', status: 'succeeded', outputs: {} }])).toEqual({
          outcome: 'written',
        });
      }
    for (const store of stores) expect(await store.listRuns({ limit: 100 })).toHaveLength(6);
    for (const host of hosts) {
      expect(await host.perform(() => host.get('SHOW jit'))).toEqual({ jit: 'off' });
      await expect(host.perform(() => host.get('SELECT * FROM nothing'))).rejects.toThrow('nothing');
    }
  });

  it('keeps its settings out of the sessions of others', async () => {
    await createStore(openForTest(newUrl())).listRuns({ limit: 1 });
    const client = new Client(pooler.url);
    await client.connect();
    expect((await client.query('SHOW search_path')).rows).toEqual([{ search_path: '"$user", public' }]);
    await client.end();
  });

  it('delivers no notifications, so changes of others are assumed', async () => {
    const url = newUrl();
    const [here, there] = [createStore(openForTest(url)), createStore(openForTest(url))];
    const before = here.dataVersion();
    await there.createRun(describeRun(), 1);
    await until(() => here.dataVersion() !== before);
    expect(await here.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it('serves coordinators', async () => {
    const url = newUrl();
    await prepareServerDatabase(url);
    const stores = [1, 2].map(() => openDispatch({ url }, systemClock));
    for (const store of stores) onTestFinished(() => store.close());
    const [here, there] = stores;
    let isNotified = false;
    onTestFinished(there!.onWake(() => (isNotified = true)));
    const task = {
      ...{
        key: 't',
        runKey: 1,
        run: { name: 'etl', dagRunId: 'r' },
        step: 'load',
        selector: {},
        priority: 0,
      },
      ...{ payload: '{}', attemptDir: '/logs' },
    };
    await here!.offer([task]);
    await until(() => isNotified);
    expect(await there!.find(['t'])).toMatchObject([{ key: 't', state: 'ready' }]);
  });

  simulateRuns(async () => {
    const url = newUrl();
    return [1, 2, 3].map(() => openServerDatabase(url));
  }, 0.005);
});
