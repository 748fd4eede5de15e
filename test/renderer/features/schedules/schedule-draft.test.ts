import { describe, expect, test } from 'vitest';
import {
  createDraft,
  findDraftError,
  readDraft,
  toExpression,
} from '../../../../renderer/features/schedules/schedule-draft.ts';
import { formatCron } from '../../../../renderer/format/time.ts';

const base = createDraft('UTC', Date.parse('2026-11-28T12:00Z'));

describe('a schedule draft', () => {
  test.each([
    ['* * * * *', 'minutes', 'Every minute'],
    ['*/15 * * * *', 'minutes', 'Every 15 minutes'],
    ['5 * * * *', 'hourly', 'At 5 minutes past the hour'],
    ['30 6 * * *', 'daily', 'Every day at 06:30'],
    ['0 18 * * 1-5', 'weekdays', 'Every weekday at 18:00'],
    ['0 9 * * 0,3', 'weekly', 'At 09:00, only on Sunday and Wednesday'],
    ['0 4 L * *', 'monthly', 'At 04:00, on the last day of the month'],
    ['2026-12-01T14:00', 'once', 'Once on 1 Dec 2026 at 14:00'],
    ['*/7 * * * *', 'cron', 'Every 7 minutes'],
    ['0 9 1 * 1', 'cron', 'At 09:00, on day 1 of the month, or on Monday'],
    ['0 9 * 1-3 *', 'cron', 'At 09:00, January through March'],
  ])('reads %s as %s and writes it unchanged', (expression, kind, words) => {
    const draft = readDraft(expression, base);
    expect(draft.kind).toBe(kind);
    expect(toExpression(draft)).toBe(expression);
    expect(findDraftError(draft)).toBeUndefined();
    expect(formatCron(expression)).toBe(words);
  });

  test('says what is missing or invalid', () => {
    expect(findDraftError({ ...base, kind: 'weekly', weekdays: [] })).toBe('Select at least one day.');
    expect(findDraftError({ ...base, time: '' })).toBe('Enter a time.');
    expect(findDraftError({ ...base, kind: 'cron' })).toBe('Enter a cron expression.');
    expect(findDraftError({ ...base, kind: 'cron', cron: '0 6 * *' })).toBe('The expression has 4 fields.');
  });
});
