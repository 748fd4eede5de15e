import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countTimes,
  listHourSlots,
  splitSlots,
  summarizeTimes,
} from '../../../../core/spec/schedule/count-times.ts';
import { listDays, timesAfter } from '../../../../core/spec/schedule/next-run.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const field = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 2, max: Math.min(max, 31) }).map((step) => `*/${step}`),
  );
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
);
const expressions = fc
  .tuple(
    fc.option(zones, { nil: undefined }),
    field(0, 59),
    field(0, 23),
    field(1, 31),
    field(1, 12),
    field(0, 6),
  )
  .map(([zone, ...fields]) => (zone === undefined ? '' : `CRON_TZ=${zone} `) + fields.join(' '));
/** Includes weeks with clock changes in either direction. */
const firstDays = fc.constantFrom(
  '2026-01-05',
  '2026-03-07',
  '2026-03-28',
  '2026-04-04',
  '2026-10-03',
  '2026-10-24',
);

describe('countTimes', () => {
  it('agrees with the times listed one by one, with clock changes and in other zones', () => {
    fc.assert(
      fc.property(
        fc.array(expressions, { minLength: 1, maxLength: 3 }),
        zones,
        zones,
        firstDays,
        fc.integer({ min: 0, max: 3 * 86_400_000 }),
        (crons, zone, shown, from, split) => {
          const days = listDays(
            { from, to: `${from.slice(0, 8)}${String(Number(from.slice(8)) + 2).padStart(2, '0')}` },
            shown,
            3,
          );
          const slots = splitSlots(listHourSlots(days, shown), days[0]!.from + split);
          const listed: number[] = [];
          for (const { at } of timesAfter(crons, days[0]!.from - 1, zone)) {
            if (at >= days.at(-1)!.until) break;
            listed.push(at);
          }
          const expected = slots.map(
            (slot) => listed.filter((at) => at >= slot.from && at < slot.until).length,
          );
          expect(countTimes(crons, zone, slots)).toEqual(expected);
          expect(summarizeTimes(crons, zone, slots)).toEqual(
            listed.length === 0 ? undefined : { count: listed.length, first: listed[0], last: listed.at(-1) },
          );
        },
      ),
      { numRuns: propertyRuns(120), seed: 8 },
    );
  });

  it('counts a single date once', () => {
    const slots = listHourSlots(listDays({ from: '2026-12-01', to: '2026-12-01' }, 'UTC', 1), 'UTC');
    const counts = countTimes(['CRON_TZ=Europe/Berlin 2026-12-01T14:00'], 'UTC', slots);
    expect(counts.flatMap((count, hour) => (count > 0 ? [[hour, count]] : []))).toEqual([[13, 1]]);
  });
});

describe('listHourSlots', () => {
  const hoursOf = (date: string, zone: string) =>
    listHourSlots(listDays({ from: date, to: date }, zone, 1), zone).map(({ hour }) => hour);

  it('skips and repeats hours with the clock', () => {
    expect(hoursOf('2026-03-29', 'Europe/Berlin').slice(0, 4)).toEqual([0, 1, 3, 4]);
    expect(hoursOf('2026-10-25', 'Europe/Berlin').slice(0, 5)).toEqual([0, 1, 2, 2, 3]);
    expect(hoursOf('2026-11-01', 'Europe/Berlin')).toHaveLength(24);
  });
});
