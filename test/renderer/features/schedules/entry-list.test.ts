import { expect, test } from 'vitest';
import type { CalendarEntryView } from '../../../../core/contract/schedules.ts';
import { formatEntry, toShape } from '../../../../renderer/features/schedules/entry-list.tsx';

const entry = (more: Partial<CalendarEntryView>): CalendarEntryView => ({
  fileName: 'etl',
  name: 'etl',
  kind: 'start',
  date: '2026-11-22',
  outcome: 'due',
  count: 1,
  first: '2026-11-22T10:00:00.000Z',
  last: '2026-11-22T10:00:00.000Z',
  ...more,
});

test('a calendar entry shows its result', () => {
  expect(formatEntry(entry({}))).toBe('upcoming');
  const missed = entry({ outcome: 'skipped', reason: 'the machine slept' });
  expect(formatEntry(missed)).toBe('missed: the machine slept');
  expect(toShape(missed)).toBe('skipped');
  expect(formatEntry(entry({ paused: true }))).toBe('paused');
  const failed = entry({ outcome: 'started', run: { name: 'etl', dagRunId: 'r', status: 'failed' } });
  expect(formatEntry(failed)).toBe('started, failed');
  expect(toShape(failed)).toBe('failed');
  expect(formatEntry(entry({ kind: 'stop', count: 3 }))).toBe('Stop upcoming');
});
