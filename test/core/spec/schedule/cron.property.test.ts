import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextOccurrence, readSchedule, findPrevious } from '../../../../core/spec/schedule/next-run.ts';
import { findTimeZone } from '../../../../core/spec/schedule/time-zone.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const range = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 2, max: Math.min(max, 31) }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc
      .uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 4 })
      .map((values) => values.join(',')),
  );

const days = fc.oneof(range(1, 31), fc.constantFrom('L', '15W', '1W', '31W', '1,L', 'LW'));
const weekdays = fc.oneof(range(0, 6), fc.constantFrom('5#2', '1#5', 'FRI#L', 'MON-FRI', '7', '+1'));
const expressions = fc
  .tuple(fc.option(range(0, 59), { nil: '' }), range(0, 59), range(0, 23), days, range(1, 12), weekdays)
  .map((fields) => fields.join(' ').trim());
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'America/Havana',
);
const instants = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });

/** Another implementation, with the rule that joins the two day fields. */
function otherCron(expression: string): Cron {
  const [day, , weekday] = expression.split(' ').slice(-3) as [string, string, string];
  const domAndDow = day.startsWith('*') || weekday.startsWith('*');
  return new Cron(expression, { paused: true, timezone: 'UTC', domAndDow });
}

describe('cron', () => {
  it('agrees with another implementation where no clock changes', () => {
    fc.assert(
      fc.property(expressions, instants, (expression, after) => {
        const other = otherCron(expression).nextRun(new Date(after));
        const own = nextOccurrence(readSchedule(`CRON_TZ=UTC ${expression}`), after);
        expect(own?.at).toBe(other?.getTime());
      }),
      { numRuns: propertyRuns(500), seed: 5 },
    );
  });

  it('moves forward in time and matches the expression in wall time, unless shifted', () => {
    fc.assert(
      fc.property(expressions, zones, instants, (expression, zone, after) => {
        const schedule = readSchedule(`CRON_TZ=${zone} ${expression}`);
        const wallClock = otherCron(expression);
        let from = after;
        for (let count = 0; count < 5; count += 1) {
          const next = nextOccurrence(schedule, from);
          if (next === undefined) return;
          expect(next.at).toBeGreaterThan(from);
          const wall = next.at + findTimeZone(zone).offsetAt(next.at);
          if (next.change !== 'shifted') expect(wallClock.match(new Date(wall))).toBe(true);
          from = next.at;
        }
      }),
      { numRuns: propertyRuns(500), seed: 6 },
    );
  });

  it('loses no wall time: every existing one is due, once, or on both sides of a change for every hour', () => {
    const minutes = fc.constantFrom(
      '30 2 * * *',
      '*/20 1-3 * * *',
      '*/30 * * * *',
      '15 0 * * *',
      '5 3,4 * * 0',
    );
    const changes = fc.constantFrom(
      '2026-03-29',
      '2026-10-25',
      '2026-03-08',
      '2026-11-01',
      '2026-04-04',
      '2026-10-03',
    );
    fc.assert(
      fc.property(minutes, zones, changes, (expression, zone, day) => {
        const schedule = readSchedule(`CRON_TZ=${zone} ${expression}`);
        const wallClock = otherCron(expression);
        const [begin, end] = [Date.parse(day) - 36e5 * 12, Date.parse(day) + 36e5 * 24];
        const due = new Set<number>();
        for (
          let next = nextOccurrence(schedule, begin);
          next && next.at < end;
          next = nextOccurrence(schedule, next.at)
        )
          due.add(next.at);
        const seen = new Set<number>();
        const missed: string[] = [];
        for (let at = begin + 60_000 - (begin % 60_000); at < end; at += 60_000) {
          const wall = at + findTimeZone(zone).offsetAt(at);
          if (!wallClock.match(new Date(wall))) continue;
          const isHourly = expression.split(' ')[1] === '*';
          if ((!seen.has(wall) || isHourly) && !due.has(at)) missed.push(new Date(at).toISOString());
          seen.add(wall);
        }
        expect(missed).toEqual([]);
      }),
      { numRuns: propertyRuns(40), seed: 7 },
    );
  });

  it('finds the previous time', () => {
    fc.assert(
      fc.property(expressions, zones, instants, (expression, zone, after) => {
        const schedule = readSchedule(`CRON_TZ=${zone} ${expression}`);
        const first = nextOccurrence(schedule, after);
        const second = first && nextOccurrence(schedule, first.at);
        if (second === undefined || second.at - first!.at > 8 * 366 * 864e5) return;
        expect(findPrevious([`CRON_TZ=${zone} ${expression}`], second.at)).toBe(first!.at);
      }),
      { numRuns: propertyRuns(300), seed: 8 },
    );
  });
});

describe('time zone', () => {
  it('has the same offsets as the system', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const whole = Math.floor(instant / 1000) * 1000;
        const text = new Date(whole).toLocaleString('sv-SE', { timeZone: zone });
        expect(findTimeZone(zone).offsetAt(whole)).toBe(Date.parse(`${text.replace(' ', 'T')}Z`) - whole);
      }),
      { numRuns: propertyRuns(500), seed: 9 },
    );
  });
});
