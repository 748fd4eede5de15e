import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openServerDatabase } from '../../../core/store/open-store.ts';
import { TestPostgres, missingForPostgres } from '../../harness/servers/postgres.ts';
import { makeTemporaryFolder, onTestCleanup } from '../../harness/resources.ts';
import { withFaultTestHome, type FaultTestHome } from '../rig/fault-home.ts';
import { type Random, chooseSeeds, close, createRandom, waitFor } from '../rig/kill.ts';
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

/** Starts runs on a host one after another; those that it has acknowledged. */
class Load {
  readonly acknowledged: string[] = [];
  /** Statuses of responses without acknowledgement. */
  readonly refusals = new Set<number>();
  #asked = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(url: string, random: Random) {
    this.#done = this.#ask(`${url}/api/v2/dags/spread/enqueue`, random);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  /** Waits until this many more have been acknowledged. */
  async more(count: number): Promise<void> {
    const before = this.acknowledged.length;
    await waitFor('acknowledged runs', () => this.acknowledged.length >= before + count);
  }

  async #ask(url: string, random: Random): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    while (!this.#isOver) {
      const dagRunId = `load-${(this.#asked += 1)}`;
      const body = JSON.stringify({ dagRunId });
      const { ok, status } = await fetch(url, { method: 'POST', headers, body });
      if (ok) this.acknowledged.push(dagRunId);
      else this.refusals.add(status);
      await pause(random.between(20, 200));
    }
  }
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
      openServerDatabase(server.url).close();
      const place = { url: server.url };
      await TestCluster.open(makeTemporaryFolder(), { coordinators: 2, workers: 2, place });
      await withFaultTestHome(async (home) => {
        home.configure('queues: { config: [{ name: many, maxConcurrency: 8 }] }\n');
        home.save('spread', spread(home.effects));
        const host = home.start(['start-all', '--port', '0']);
        await waitFor('the host', () => host.stdout().includes('\n'));
        const load = new Load(/http:\S+/.exec(host.stdout())![0], random);

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
    120_000,
  );
});

/** Waits until all runs have finished; their statuses by id. */
async function readEnded(home: FaultTestHome): Promise<Map<string, string>> {
  const open = 'SELECT run_id FROM run WHERE finished_at IS NULL';
  await waitFor('the ends of all runs', () => home.query(open).length === 0, 60_000);
  const runs = home.query<{ run_id: string; status: string }>('SELECT run_id, status FROM run');
  return new Map(runs.map(({ run_id: id, status }) => [id, status]));
}
