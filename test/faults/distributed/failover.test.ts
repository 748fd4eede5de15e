import { describe, expect, test } from 'vitest';
import { prepareServerDatabase } from '../../../core/store/open-store.ts';
import { missingForPostgres, TestPostgres } from '../../harness/servers/postgres.ts';
import { onTestCleanup, waitUntilPasses } from '../../harness/resources.ts';
import { withFaultTestHome } from '../rig/fault-home.ts';
import { close, createRandom, serve } from '../rig/kill.ts';
import { chain, expectChains, Load, readEnded } from './load.ts';

const missing = missingForPostgres(15);
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

describe.skipIf(missing !== undefined)(`a failover to a standby${lack}`, () => {
  test('loses no run and repeats no step', async () => {
    const primary = await TestPostgres.start(15, ['synchronous_standby_names=*']);
    onTestCleanup(() => primary.close());
    const standby = await TestPostgres.startStandby(primary);
    onTestCleanup(() => standby.close());
    const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    await prepareServerDatabase(url);
    await withFaultTestHome(async (home) => {
      home.configure('queues: { config: [{ name: many, maxConcurrency: 4 }] }\n');
      home.save('chain', chain);
      const words = ['start-all', '--port', '0'];
      const hosts = [await serve(home, words), await serve(home, words)];
      const api = /http:\S+/.exec(hosts[0]!.stdout())![0];
      const load = new Load(api, 'chain', createRandom(3));

      await load.more(6);
      await primary.kill();
      await waitUntilPasses(async () => {
        const reply = await fetch(`${api}/api/v2/health`);
        expect(await reply.json()).toMatchObject({
          status: 'degraded',
          problems: [{ code: 'unavailable', message: expect.stringContaining('standby') as string }],
        });
      });
      standby.promote();
      await load.more(6);
      await load.end();

      const ended = await readEnded(home);
      await waitUntilPasses(async () => {
        const reply = await fetch(`${api}/api/v2/health`);
        expect(await reply.json()).toMatchObject({ status: 'healthy' });
      });
      await Promise.all(hosts.map(close));
      expectChains(home, load, ended);
      expect(hosts[0]!.stderr()).toContain('Runs are waiting until events can be written');
    }, url);
  }, 240_000);
});
