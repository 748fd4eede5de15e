import { Cron } from 'croner';
import type { Schedule } from '../model/workflow.ts';

/**
 * The next scheduled start after a moment, in the machine's time zone.
 * @param after epoch milliseconds
 * @returns epoch milliseconds; undefined when nothing is scheduled any more
 */
export function findNextStart(schedule: Schedule, after: number): number | undefined {
  const from = new Date(after);
  const times = schedule.start
    .map((expression) => new Cron(expression, { paused: true }).nextRun(from)?.getTime())
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}
