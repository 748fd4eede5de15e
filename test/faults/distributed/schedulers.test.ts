import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TestPostgres, missingForPostgres } from '../../harness/servers/postgres.ts';
import { onTestCleanup } from '../../harness/resources.ts';
import { checkEverySecond, checkFireTimes } from '../rig/check-home.ts';
import { withFaultTestHome, type FaultTestHome, type Host } from '../rig/fault-home.ts';
import { type Random, chooseSeeds, close, createRandom, serve, waitFor } from '../rig/kill.ts';

const scheduler = ['scheduler', '--port', '0'];
const schedule = 'overlap: allow\nmaxActiveRuns: -1\ncatchup: all\n';
const steps =
  'steps:\n  - { name: a, command: "EFFECT; sleep 0.5" }\n  - { name: b, depends: a, command: EFFECT }\n';
/** Schedules whose times are checked, and others that keep both hosts and the database busy. */
const workflows = {
  tick: `schedule: "* * * * * *"\n${schedule}${steps}`,
  even: `schedule: "*/2 * * * * *"\n${schedule}${steps}`,
  odd: `schedule: "1-59/2 * * * * *"\n${schedule}${steps}`,
};

/** Lease duration of the active scheduler, milliseconds. */
const serviceLease = 3000;

/** Two hosts, one of which is killed or halted at random times; never both. */
async function injectFault(home: FaultTestHome, hosts: Host[], random: Random): Promise<void> {
  const faults = ['kill', 'halt', 'kill', 'halt for long'] as const;
  for (const fault of faults) {
    await pause(random.between(500, 2500));
    const index = random.between(0, hosts.length - 1);
    const victim = hosts[index]!;
    if (fault === 'kill') {
      victim.kill('SIGKILL');
      await victim.ended;
      await pause(random.between(0, 2000));
      hosts[index] = await serve(home, scheduler);
    } else {
      victim.kill('SIGSTOP');
      await pause(fault === 'halt' ? random.between(200, 3000) : 1.4 * serviceLease);
      victim.kill('SIGCONT');
    }
  }
}

const missing = missingForPostgres(18);
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

describe.skipIf(missing !== undefined)(`two schedulers on one database server${lack}`, () => {
  test.each(chooseSeeds([9]))(
    'seed %i: serve each scheduled time once when one is killed or halted',
    async (seed) => {
      const random = createRandom(seed);
      const server = await TestPostgres.start(18);
      onTestCleanup(() => server.close());
      await withFaultTestHome(async (home) => {
        home.configure('scheduler: { zombieDetectionInterval: 1s }\n');
        home.shorten({ serviceLease, serviceRenewal: 600 });
        for (const [name, yaml] of Object.entries(workflows)) home.save(name, yaml);
        const hosts = [await serve(home, scheduler), await serve(home, scheduler)];
        const countFireTimes = async (): Promise<number> =>
          (await home.query('SELECT 1 FROM schedule_slot')).length;
        await waitFor('scheduled times', async () => (await countFireTimes()) > 2);

        await injectFault(home, hosts, random);

        const before = await countFireTimes();
        await waitFor('scheduled times afterwards', async () => (await countFireTimes()) > before + 4);
        // The remaining backlog is served by the same rules.
        for (const name of Object.keys(workflows)) home.save(name, schedule + steps);
        const open = 'SELECT 1 FROM run WHERE finished_at IS NULL';
        await waitFor('the ends of the runs', async () => (await home.query(open)).length === 0);
        await Promise.all(hosts.map(close));
        await checkEverySecond(home, 'tick');
        await checkFireTimes(home);
        expect(await home.query("SELECT * FROM run WHERE status <> 'succeeded'")).toEqual([]);
        const ran = home.ran();
        expect(ran.length, 'steps that ran twice').toBe(new Set(ran).size);
        // A run recorded when its host died, before its process started, has none: another one has run.
        const attempts = await home.query('SELECT 1 FROM attempt WHERE exit_code IS NOT NULL');
        expect(ran.length, 'attempts that ran').toBe(attempts.length);
        expect(attempts.length, 'attempts for each step').toBe(
          (await home.query('SELECT 1 FROM step')).length,
        );
      }, server.url);
    },
    120_000,
  );
});
