import { expect, test } from 'vitest';
import {
  formatCron,
  formatDuration,
  formatElapsed,
  formatDay,
  formatDistance,
  formatRelative,
  isNear,
  formatTimestampsIn,
} from '../../../renderer/format/time.ts';
import { shortenRunId } from '../../../renderer/format/values.ts';
import { countStatuses, formatAction, formatOrigin } from '../../../renderer/format/labels.ts';

test.each([
  [-5, '0 ms'],
  [340, '340 ms'],
  [999.6, '1.0 s'],
  [4_230, '4.2 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [59_400, '59 s'],
  [59_600, '1m 00s'],
  [64_000, '1m 04s'],
  [3_599_600, '1h 00m'],
  [7_500_000, '2h 05m'],
  [273_600_000, '3d 04h'],
])('%d ms are formatted as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test('a running duration counts whole seconds', () => {
  expect([0, 999, 1_000, 9_999, 10_400, 64_900].map(formatElapsed)).toEqual([
    '0 s',
    '0 s',
    '1 s',
    '9 s',
    '10 s',
    '1m 04s',
  ]);
});

test('near times are relative to now', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  expect(formatDay('2027-02-20T12:00:00Z')).toBe('20 Feb 2027');
  expect([isNear('2026-01-01T13:00:00Z', now), isNear('2026-01-03T12:00:00Z', now)]).toEqual([true, false]);
  expect(formatRelative('2026-01-01T11:59:40Z', now)).toBe('just now');
  expect(formatRelative('2026-01-01T12:00:01Z', now)).toBe('just now');
  expect(formatRelative('2026-01-01T12:00:30Z', now)).toBe('in under a minute');
  expect(formatRelative('2026-01-01T11:48:00Z', now)).toBe('12 min ago');
  expect(formatRelative('2026-01-01T15:30:00Z', now)).toBe('in 3 h');
  expect(formatRelative('2025-12-24T15:30:00Z', now)).toMatch(/24 Dec/);
});

test('describes cron in words with its zone, or shows it unchanged', () => {
  expect(formatCron('0 2 * * *')).toBe('Every day at 02:00');
  expect(formatCron('CRON_TZ=Asia/Tokyo 0 2 * * *')).toBe('Every day at 02:00 (Asia/Tokyo)');
  expect(formatCron('not cron')).toBe('not cron');
});

test.each([
  ['0 0 1-7 * */7', 'At 00:00, between day 1 and 7 of the month, only on Sunday'],
  ['0 0 1-7 * 0', 'At 00:00, between day 1 and 7 of the month, or on Sunday'],
  ['0 0 */2 * MON', 'At 00:00, every 2 days in a month, only on Monday'],
  ['0 0 13 3 FRI', 'At 00:00, on day 13 of the month, or on Friday, only in March'],
  ['0 0 1,15 * *', 'At 00:00, on day 1 and 15 of the month'],
  ['0 0 1 * 1-5', 'At 00:00, on day 1 of the month, or Monday through Friday'],
  ['@reboot', 'At engine start'],
])('the days of %s are %s', (cron, words) => {
  expect(formatCron(cron)).toBe(words);
});

test('summarizes a step on one line', () => {
  expect(formatAction({ kind: 'script', script: '#!/bin/sh\nset -eu\n\n# load\npsql -f load.sql\n' })).toBe(
    'psql -f load.sql',
  );
  expect(formatAction({ kind: 'script', script: '-- all of them\nselect 1;\n' })).toBe('select 1;');
  expect(formatAction({ kind: 'script', script: '{\n  date\n} > out.txt\n' })).toBe('date');
  expect(formatAction({ kind: 'argv', argv: ['python3', 'a.py'] })).toBe('python3 a.py');
  expect(formatAction({ kind: 'dag', dag: 'region', params: [{ name: 'R', value: 'north' }] })).toBe(
    'region R=north',
  );
});

test('ids and counts', () => {
  expect(shortenRunId('nightly-7')).toBe('nightly-7');
  expect(shortenRunId('01a1f8ab-bb03-7c07-82f2-98f89d8eb96f')).toBe('…8eb96f');
  expect(countStatuses(['failed', 'succeeded', 'succeeded'])).toBe('2 succeeded, 1 failed');
});

test('formats any distance in words', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  expect(formatDistance('2026-01-01T11:30:00Z', now)).toBe('30 min ago');
  expect(formatDistance('2026-01-02T13:00:00Z', now)).toBe('in 1 day');
  expect(formatDistance('2026-04-01T11:59:30Z', now)).toBe('in 90 days');
  expect(formatDistance('2024-11-01T12:00:00Z', now)).toBe('14 months ago');
});

test.each([
  ['api', 'ann', 'API · ann'],
  ['api', 'http', 'API'],
  ['schedule', undefined, 'Schedule'],
  ['webhook', 'webhook forge', 'Webhook · forge'],
] as const)('labels a run by %s of %s as %s', (trigger, startedBy, words) => {
  expect(formatOrigin({ trigger, startedBy })).toBe(words);
});

test('times in a message of the engine use the displayed zone and clock', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  const notify = (at: string) => formatTimestampsIn(`exit code 1; next attempt at ${at}`, now);
  expect(notify('2026-01-01T14:06:38.011Z')).toMatch(/next attempt at \d\d:\d6:38$/);
  expect(notify('2026-01-08T14:06:38.011Z')).toMatch(/next attempt at \d+ Jan, \d\d:\d6$/);
  expect(formatTimestampsIn('step "2026" failed', now)).toBe('step "2026" failed');
});
