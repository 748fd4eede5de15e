import { expect } from 'vitest';
import { whole, wholeRan } from '../workflows.ts';
import { checkEverySecond, checkHome } from './check-home.ts';
import type { FaultTestHome } from './fault-home.ts';
import { type KillPoint, begin, close, killAt, recover, serve, serveUntil, waitFor } from './kill.ts';

/** Recovers the run of `whole`; some time after the fault point nothing may be left to do. */
async function expectWhole(home: FaultTestHome, { afterMs }: KillPoint): Promise<void> {
  const recovered = await recover(home);
  if (afterMs === 0 || (recovered as unknown[]).length > 0)
    expect(recovered).toMatchObject([{ name: 'whole', status: 'succeeded' }]);
  expect(await home.query<{ status: string }>('SELECT status FROM run WHERE is_sub = 0')).toEqual([
    { status: 'succeeded' },
  ]);
}

/** The next host completes a run whose host was killed, everything once. */
export async function completeKilledRun(home: FaultTestHome, moment: KillPoint): Promise<void> {
  home.save('whole', whole);
  await killAt(home, moment, begin('whole'));
  await expectWhole(home, moment);
  await checkHome(home);
  expect(home.ranBySteps()).toEqual(wholeRan);
}

/** A third host completes a run whose second host was killed while it took over. */
export async function completeKilledRecovery(home: FaultTestHome, moment: KillPoint): Promise<void> {
  home.save('whole', whole);
  await killAt(home, 'attempt.spawned@3', begin('whole'));
  await killAt(home, moment, ['recover', '--quiet']);
  await expectWhole(home, moment);
  await checkHome(home);
  expect(home.ranBySteps()).toEqual(wholeRan);
}

export const scheduler = ['scheduler', '--port', '0'];
export const queued =
  'queue: one\nsteps:\n  - { name: a, command: EFFECT }\n  - { name: b, command: EFFECT }\n';
const limits = 'queues: { config: [{ name: one, maxConcurrency: 1 }] }\n';
export const enqueue = ['enqueue', 'queued', '--quiet', '--default-working-dir', '.'];

export const everySecond =
  'schedule: "* * * * * *"\noverlap: allow\nmaxActiveRuns: -1\nsteps:\n  - { name: a, command: EFFECT }\n';

export const countFireTimes = async (home: FaultTestHome): Promise<number> =>
  (await home.query('SELECT 1 FROM schedule_slot')).length;
export const countEnded = async (home: FaultTestHome): Promise<number> =>
  (await home.query('SELECT key FROM run WHERE finished_at IS NOT NULL')).length;
export const statuses = async (home: FaultTestHome): Promise<string[]> =>
  (await home.query<{ status: string }>('SELECT status FROM run ORDER BY key')).map(({ status }) => status);

/** The next host starts the queued runs of a killed one. */
export async function startKilledQueue(home: FaultTestHome, moment: KillPoint): Promise<void> {
  home.configure(limits);
  home.save('queued', queued);
  for (let run = 0; run < 3; run += 1) expect(await home.run(enqueue)).toMatchObject({ code: 0 });
  const first = await serveUntil(home, moment, scheduler);
  expect((await first.ended).signal).toBe('SIGKILL');
  const second = await serve(home, scheduler);
  await waitFor('the ends of the runs', async () => (await countEnded(home)) === 3);
  await close(second);
  await checkHome(home);
  expect(await statuses(home)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(home.ranBySteps()).toEqual({ a: 3, b: 3 });
}

/** The next host serves the scheduled times that a killed one has not. */
export async function keepKilledSchedule(home: FaultTestHome, moment: KillPoint): Promise<void> {
  home.save('tick', everySecond);
  const first = await serveUntil(home, moment, scheduler);
  expect((await first.ended).signal).toBe('SIGKILL');
  const before = await countFireTimes(home);
  const second = await serve(home, scheduler);
  await waitFor('scheduled times', async () => (await countFireTimes(home)) > before + 2);
  await waitFor(
    'the ends of the runs',
    async () => (await home.query('SELECT 1 FROM run WHERE finished_at IS NULL')).length === 0,
  );
  await close(second);
  await checkHome(home);
  await checkEverySecond(home);
}
