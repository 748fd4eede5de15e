import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { SessionPool } from '../../../../core/store/postgres/session-pool.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { describeOnServers } from '../../../harness/databases.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

describeOnServers('a pool of connections', (server) => {
  it('opens one for each request that runs, up to four, and closes them when they are idle', async () => {
    const clock = new FakeClock();
    const pool = new SessionPool({ url: server().url, schema: 'public', origin: 'here' }, clock);
    onTestFinished(() => pool.close());
    const observer = new Client(server().url);
    await observer.connect();
    onTestFinished(() => observer.end());
    const known = new Set<unknown>();
    const ask = async (): Promise<void> => {
      const text = 'SELECT pg_backend_pid(), pg_sleep(0.05)';
      const [result] = await pool.request({
        ...{ operation: 1, begins: true, ends: true },
        ...{ steps: [{ text, values: [] }], timeoutMs: 10_000 },
      });
      known.add(result!.rows[0]![0]);
    };
    await ask();
    await ask();
    expect(known.size).toBe(1);
    await Promise.all(Array.from({ length: 8 }, ask));
    expect(known.size).toBe(4);
    clock.advance(60_000);
    await waitUntilPasses(async () => {
      const sql = 'SELECT count(*) AS left FROM pg_stat_activity WHERE pid = ANY($1)';
      expect((await observer.query(sql, [[...known]])).rows).toEqual([{ left: '0' }]);
    });
    await ask();
    expect(known.size).toBe(5);
  });
});
