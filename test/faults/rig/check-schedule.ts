import { expect } from 'vitest';
import type { FaultHome } from './fault-home.ts';

/**
 * Checks that each second between the first and the last start of a schedule of every second has its one run.
 * @param dag its workflow; needed where others have schedules, too
 */
export function checkEverySecond(home: FaultHome, dag?: string): void {
  const own = dag === undefined ? '' : `WHERE dag = '${dag}'`;
  const slots = home.query<{ at: number; outcome: string; reason: string | null; runs: number }>(
    `SELECT at, outcome, reason, (SELECT count(*) FROM run WHERE run.key = run_key) AS runs FROM schedule_slot ${own} ORDER BY at`,
  );
  const [first] = slots;
  expect(slots.length).toBeGreaterThan(1);
  expect(slots, 'scheduled times').toEqual(
    slots.map((_, index) => ({ at: first!.at + 1000 * index, outcome: 'started', reason: null, runs: 1 })),
  );
  checkSlots(home);
}

/** Checks that each scheduled start has its one run, and that nothing else was started by a schedule. */
export function checkSlots(home: FaultHome): void {
  const started = "SELECT run_key AS key FROM schedule_slot WHERE outcome = 'started' ORDER BY run_key";
  const runs = home.query("SELECT key FROM run WHERE trigger = 'schedule' ORDER BY key");
  expect(runs, 'runs that were started by a schedule').toEqual(home.query(started));
}
