import { readCronFields, type CronFields } from './cron/fields.ts';
import { nextWallTime } from './cron/next-wall-time.ts';
import { findTimeZone, type TimeZone, type Transition } from './zone/time-zone.ts';

/** A time at which an expression is due. */
export interface Occurrence {
  /** Epoch milliseconds. */
  readonly at: number;
  /**
   * Effect of a clock change: `shifted`, its wall time does not exist on that day, and it is due later by the size of
   * the jump; `repeated`, its wall time occurs twice, and it is due the first time only.
   */
  readonly change?: 'shifted' | 'repeated';
}

/** A cron expression and its time zone. */
export interface CronSchedule {
  readonly fields: CronFields;
  readonly zone: TimeZone;
}

/**
 * Reads an expression in the form of the model: fields, after `CRON_TZ=Zone ` when they have a zone of their own.
 * @param zone of expressions that name none; default: the machine's
 */
export function readSchedule(expression: string, zone?: string): CronSchedule {
  const [, timeZoneName, fields = expression] = /^CRON_TZ=(\S+) (.*)$/s.exec(expression) ?? [];
  return { fields: readCronFields(fields), zone: findTimeZone(timeZoneName ?? zone) };
}

/** Clock changes are smaller than a day; a change further away than that does not affect a wall time. */
const nearMs = 25 * 3_600_000;

/**
 * Returns the next time at which a schedule is due, after an instant. When the clock changes, an expression for every
 * hour follows real time; others are due once for each of their wall times, by the rule of RFC 5545, 3.3.5.
 * @param after epoch milliseconds
 * @returns undefined when it is never due again
 */
export function nextOccurrence({ fields, zone }: CronSchedule, after: number): Occurrence | undefined {
  return fields.isHourly ? nextInRealTime(fields, zone, after) : nextOnWall(fields, zone, after);
}

/** Returns the next time of an hourly expression. Between two clock changes, wall time is real time with an offset. */
function nextInRealTime(fields: CronFields, zone: TimeZone, after: number): Occurrence | undefined {
  let from = after + 1;
  for (;;) {
    const offset = zone.offsetAt(from);
    const wall = nextWallTime(fields, from + offset);
    if (wall === undefined) return undefined;
    const at = wall - offset;
    if (at - from > 2 * nearMs) {
      // Nothing is due until shortly before, whatever clock changes are in between.
      from = at - nearMs;
      continue;
    }
    const change = zone.nextChange(from, at);
    if (change === undefined || at < change.at) return { at };
    from = change.at;
  }
}

function nextOnWall(fields: CronFields, zone: TimeZone, after: number): Occurrence | undefined {
  let wall = after + 1 + lowestOffset(zone, after);
  let best: Occurrence | undefined;
  for (;;) {
    const wallTime = nextWallTime(fields, wall);
    if (wallTime === undefined) return best;
    const occurrence = toOccurrence(zone, wallTime);
    const isShifted = occurrence.change === 'shifted';
    if (occurrence.at > after && (best === undefined || occurrence.at < best.at + (isShifted ? 0 : 1)))
      best = occurrence;
    // Only a wall time that does not exist can be due later than a later one, or together with it.
    if (best !== undefined && !isShifted && occurrence.at >= best.at) return best;
    wall = wallTime + 1;
  }
}

/** Returns the offset at which the search starts: while nonexistent wall times are still due, it starts with them. */
function lowestOffset(zone: TimeZone, instant: number): number {
  const change = zone.nextChange(instant - nearMs, instant);
  const offset = zone.offsetAt(instant);
  const isOver = change === undefined || instant >= change.at + (change.after - change.before);
  return isOver ? offset : Math.min(offset, change.before);
}

/** Returns the instant of a wall time: the first of two; when there is none, that of the clock before the change. */
function toOccurrence(zone: TimeZone, wall: number): Occurrence {
  const change = findChangeAround(zone, wall);
  if (change === undefined) return { at: wall - zone.offsetAt(wall) };
  const { at, before, after } = change;
  if (wall < at + Math.min(before, after)) return { at: wall - before };
  if (wall >= at + Math.max(before, after)) return { at: wall - after };
  return { at: wall - before, change: after > before ? 'shifted' : 'repeated' };
}

/** Returns the clock change that decides which offset a wall time has. */
function findChangeAround(zone: TimeZone, wall: number): Transition | undefined {
  return zone.nextChange(wall - nearMs, wall + nearMs);
}
