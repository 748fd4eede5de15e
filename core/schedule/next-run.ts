import { Cron } from 'croner';
import type { Schedule } from '../model/workflow.ts';

/**
 * The next scheduled start after a moment, in the machine's time zone unless the expression names one.
 * @param after epoch milliseconds
 * @returns epoch milliseconds; undefined when nothing is scheduled any more
 */
export function findNextStart(schedule: Schedule, after: number): number | undefined {
  const from = new Date(after);
  const times = schedule.start
    .map((expression) => createCron(expression).nextRun(from)?.getTime())
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function createCron(expression: string): Cron {
  const [, timezone, fields = expression] = /^CRON_TZ=(\S+) (.*)$/.exec(expression) ?? [];
  return new Cron(fields, { paused: true, ...(timezone === undefined ? {} : { timezone }) });
}
