import { describe, expect, test } from 'vitest';
import { prepareServerDatabase } from '../../../core/store/open-store.ts';
import { missingForPostgres, TestPostgres } from '../../harness/servers/postgres.ts';
import { onTestCleanup } from '../../harness/resources.ts';
import { withFaultTestHome } from '../rig/fault-home.ts';
import { close, createRandom, serve } from '../rig/kill.ts';
import { chain, expectChains, Load, readEnded } from './load.ts';

const missing = missingForPostgres(15);
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

describe.skipIf(missing !== undefined)(`a database server that is restarted ten times${lack}`, () => {
  test('loses no run and repeats no step', async () => {
    const server = await TestPostgres.start(15);
    onTestCleanup(() => server.close());
    await prepareServerDatabase(server.url);
    await withFaultTestHome(async (home) => {
      home.configure('queues: { config: [{ name: many, maxConcurrency: 4 }] }\n');
      home.save('chain', chain);
      const hosts = [
        await serve(home, ['start-all', '--port', '0']),
        await serve(home, ['start-all', '--port', '0']),
      ];
      const load = new Load(/http:\S+/.exec(hosts[0]!.stdout())![0], 'chain', createRandom(4));
      for (let restart = 1; restart <= 10; restart += 1) {
        await load.more(1);
        await (restart % 2 === 0 ? server.kill() : server.stop());
        await server.begin();
      }
      await load.more(1);
      await load.end();
      const ended = await readEnded(home);
      await Promise.all(hosts.map(close));
      expectChains(home, load, ended);
      expect(ended.size).toBeGreaterThan(10);
    }, server.url);
  }, 240_000);
});
