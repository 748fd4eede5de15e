import { expect, test } from 'vitest';
import { isQuietTime } from '../../main/run-notifications.ts';

const at = (time: string): number => Date.parse(`2026-01-15T${time}:00Z`);
const hours = (quietFrom: string, quietTo: string, quietZone = '') => ({
  quiet: true,
  quietFrom,
  quietTo,
  quietZone,
});

test.each([
  ['22:00', '07:00', '21:59', false],
  ['22:00', '07:00', '22:00', true],
  ['22:00', '07:00', '00:00', true],
  ['22:00', '07:00', '06:59', true],
  ['22:00', '07:00', '07:00', false],
  ['12:00', '13:00', '12:30', true],
  ['12:00', '13:00', '13:00', false],
  ['12:00', '13:00', '00:30', false],
  ['08:00', '08:00', '03:00', true],
])('from %s to %s, quiet at %s: %s', (from, to, time, quiet) => {
  expect(isQuietTime(hours(from, to), at(time), 'UTC')).toBe(quiet);
});

test("uses the selected zone, otherwise the engine's, with daylight saving time", () => {
  const night = hours('22:00', '07:00');
  expect(isQuietTime(night, at('21:30'), 'UTC')).toBe(false);
  expect(isQuietTime(night, at('21:30'), 'Europe/Berlin')).toBe(true);
  expect(isQuietTime(hours('22:00', '07:00', 'America/New_York'), at('21:30'), 'Europe/Berlin')).toBe(false);
  expect(isQuietTime(night, Date.parse('2026-07-15T05:30:00Z'), 'Europe/Berlin')).toBe(false);
  expect(isQuietTime(night, at('05:30'), 'Europe/Berlin')).toBe(true);
});

test("is never active when off, and an invalid zone counts as the system's", () => {
  expect(isQuietTime({ ...hours('00:00', '23:59'), quiet: false }, at('12:00'), 'UTC')).toBe(false);
  expect(isQuietTime(hours('08:00', '08:00', 'Moon/Base'), at('12:00'), 'UTC')).toBe(true);
});
