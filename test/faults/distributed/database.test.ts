import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prepareServerDatabase } from '../../../core/store/open-store.ts';
import { TestPostgres, missingForPostgres } from '../../harness/servers/postgres.ts';
import { makeTemporaryFolder, onTestCleanup } from '../../harness/resources.ts';
import { withFaultTestHome } from '../rig/fault-home.ts';
import { chooseSeeds, close, createRandom, waitFor } from '../rig/kill.ts';
import { Load, readEnded } from './load.ts';
import { TestCluster, leaseMs } from './test-cluster.ts';

/** Two steps on workers and one local; each writes a line. */
const spread = (effects: string): string => {
  const leave = `echo "$DAG_RUN_ID $DAG_RUN_STEP_NAME" >> ${effects}`;
  return `
queue: many
maxActiveRuns: -1
steps:
  - { name: first, workerSelector: { pool: fleet }, command: '${leave}; sleep 0.3; echo one', output: ONE }
  - { name: here, depends: first, command: '${leave}' }
  - { name: last, depends: here, workerSelector: { pool: fleet }, command: '${leave}; echo "$ONE"; sleep 0.2' }
`;
};

/** For how many worker leases the server does not respond: killed and restarted, then halted. */
const faults = [
  { what: 'for moments', killed: 0.2, halted: 0.7 },
  { what: 'for longer than a lease', killed: 1.4, halted: 2.2 },
] as const;

const cases = faults.flatMap((fault) => chooseSeeds([5]).map((seed) => ({ ...fault, seed })));

async function kill(server: TestPostgres, forMs: number): Promise<void> {
  await server.kill();
  await pause(forMs);
  await server.begin();
}

async function halt(server: TestPostgres, forMs: number): Promise<void> {
  server.halt();
  await pause(forMs);
  server.resume();
}

const missing = missingForPostgres(18);
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

describe.skipIf(missing !== undefined)(`a database server under load${lack}`, () => {
  test.each(cases)(
    'seed $seed: loses no run and repeats no step when away $what',
    async ({ seed, killed, halted }) => {
      const random = createRandom(seed);
      const server = await TestPostgres.start(18);
      onTestCleanup(() => server.close());
      await prepareServerDatabase(server.url);
      const place = { url: server.url };
      await TestCluster.open(makeTemporaryFolder(), { coordinators: 2, workers: 2, place });
      await withFaultTestHome(async (home) => {
        home.configure('queues: { config: [{ name: many, maxConcurrency: 8 }] }\n');
        home.save('spread', spread(home.effects));
        const host = home.start(['start-all', '--port', '0']);
        await waitFor('the host', () => host.stdout().includes('\n'));
        const load = new Load(/http:\S+/.exec(host.stdout())![0], 'spread', random);

        await load.more(random.between(4, 12));
        await kill(server, killed * leaseMs);
        await load.more(random.between(4, 12));
        await halt(server, halted * leaseMs);
        await load.more(random.between(4, 12));
        await load.end();

        const ended = await readEnded(home);
        await close(host);
        expect(load.acknowledged.filter((id) => !ended.has(id))).toEqual([]);
        expect(new Set(ended.values())).toEqual(new Set(['succeeded']));
        const steps = [...ended.keys()].flatMap((id) =>
          ['first', 'here', 'last'].map((step) => `${id} ${step}`),
        );
        const done = readFileSync(home.effects, 'utf8').split('\n').filter(Boolean);
        expect(done.toSorted()).toEqual(steps.toSorted());
        // Clients without acknowledgement got an error.
        expect([...load.refusals].filter((status) => status !== 503)).toEqual([]);
      }, server.url);
    },
    240_000,
  );
});
