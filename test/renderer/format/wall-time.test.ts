import { afterEach, expect, it } from 'vitest';
import { setPreferences } from '../../../renderer/base/preferences.ts';
import { fromWallTime, toWallTime } from '../../../renderer/format/time.ts';

afterEach(() => setPreferences({ timeZone: 'local' }));

it.each([
  ['Europe/Berlin', '2026-01-31T09:30', '2026-01-31T08:30:00.000Z'],
  ['Europe/Berlin', '2026-07-31T09:30', '2026-07-31T07:30:00.000Z'],
  // The first of two, and skipped local times move forward by an hour.
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
  ['Asia/Kathmandu', '2026-05-01T00:00', '2026-04-30T18:15:00.000Z'],
])('in %s %s is %s', (timeZone, wall, iso) => {
  setPreferences({ timeZone });
  expect(new Date(fromWallTime(wall)!).toISOString()).toBe(iso);
});

it('converts both ways, and rejects an invalid time', () => {
  setPreferences({ timeZone: 'Pacific/Auckland' });
  expect(toWallTime(fromWallTime('2026-09-27T12:00')!)).toBe('2026-09-27T12:00');
  expect(fromWallTime('')).toBeUndefined();
});
