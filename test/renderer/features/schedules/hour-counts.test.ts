import { describe, expect, test } from 'vitest';
import {
  formatCounts,
  HourTable,
  getMarks,
  getTotal,
  type CalendarCounts,
} from '../../../../renderer/features/schedules/hour-counts.ts';

const getHour = (iso: string): number => Number(iso.slice(11, 13)) + 2;
const toTable = (hours: CalendarCounts['hours'], clockChanges: CalendarCounts['clockChanges'] = []) =>
  new HourTable({ zone: 'UTC', workflows: 3, hours, clockChanges }, getHour);

test('the counts of an hour are described, and its problems marked', () => {
  const counts = { due: 1200, missed: 3, failedRuns: 1, started: 2, frequent: 1000 };
  expect(getTotal(counts)).toBe(1205);
  expect(formatCounts(counts)).toBe('3 missed, 1,200 upcoming, 2 started, 1 failed run');
  expect(getMarks(counts)).toEqual(['problem', 'missed']);
  expect(getMarks({ suspended: 1 })).toEqual(['resting']);
  expect(formatCounts({})).toBe('no runs');
});

test('a workflow that runs every minute does not hide the hours of others', () => {
  const table = toTable([
    { date: '2026-11-30', hour: 1, due: 60, frequent: 60 },
    { date: '2026-11-30', hour: 2, due: 61, frequent: 60 },
    { date: '2026-11-30', hour: 3, due: 160, frequent: 60 },
  ]);
  expect([1, 2, 3].map((hour) => table.densityAt('2026-11-30', hour))).toEqual([0, 1, 5]);
  const frequentOnly = toTable([{ date: '2026-11-30', hour: 1, due: 60, frequent: 60 }]);
  expect(frequentOnly.densityAt('2026-11-30', 1)).toBe(3);
});

describe('a daylight saving change', () => {
  test('marks the day and the hour that is skipped', () => {
    // At 01:00 UTC, 02:00 becomes 03:00.
    const table = toTable([], [{ at: '2026-03-29T01:00:00.000Z', date: '2026-03-29', minutes: 60 }]);
    expect(table.getChange('2026-03-29')).toBe('Clocks go forward');
    expect(table.getChange('2026-03-30')).toBeUndefined();
    expect([1, 2, 3].map((hour) => table.clockAt('2026-03-29', hour))).toEqual([
      undefined,
      'skipped',
      undefined,
    ]);
  });

  test('marks the hour that occurs twice', () => {
    // At 00:00 UTC, 03:00 becomes 02:00.
    const table = toTable([], [{ at: '2026-10-25T00:00:00.000Z', date: '2026-10-25', minutes: -60 }]);
    expect([1, 2, 3].map((hour) => table.clockAt('2026-10-25', hour))).toEqual([
      undefined,
      'repeated',
      undefined,
    ]);
  });
});
