import { expect, test } from 'vitest';
import type { CalendarEntryView } from '../../../core/contract/schedules.ts';
import { describeEntry, shapeOf } from '../../../renderer/features/schedules/entry-list.tsx';

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
  expect(describeEntry(entry({}))).toBe('upcoming');
  const missed = entry({ outcome: 'skipped', reason: 'the machine slept' });
  expect(describeEntry(missed)).toBe('missed: the machine slept');
  expect(shapeOf(missed)).toBe('skipped');
  expect(describeEntry(entry({ paused: true }))).toBe('paused');
  const failed = entry({ outcome: 'started', run: { name: 'etl', dagRunId: 'r', status: 'failed' } });
  expect(describeEntry(failed)).toBe('started, failed');
  expect(shapeOf(failed)).toBe('failed');
  expect(describeEntry(entry({ kind: 'stop', count: 3 }))).toBe('Stop upcoming');
});
