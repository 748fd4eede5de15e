import { describe, expect, it } from 'vitest';
import { nextOccurrence, readSchedule } from '../../../../core/spec/schedule/next-run.ts';

const at = (text: string) => Date.parse(text);

/** The next times as `2026-03-29T00:30Z`, with the effect of clock changes. */
function list(expression: string, after: string, count: number): string[] {
  const schedule = readSchedule(expression);
  const times: string[] = [];
  for (let from = at(after); times.length < count;) {
    const next = nextOccurrence(schedule, from);
    if (next === undefined) break;
    times.push(`${new Date(next.at).toISOString().slice(0, 16)}${next.change ? ` ${next.change}` : ''}`);
    from = next.at;
  }
  return times;
}

describe('nonexistent wall time', () => {
  it.each([
    // Berlin: 02:00 becomes 03:00 at 01:00 UTC.
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28T00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:30 shifted', '2026-03-30T00:30'],
    ],
    ['Europe/Berlin', '0 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00 shifted', '2026-03-30T00:00']],
    // New York: 02:00 becomes 03:00 at 07:00 UTC.
    ['America/New_York', '15 2 * * *', '2026-03-07T12:00Z', ['2026-03-08T07:15 shifted', '2026-03-09T06:15']],
    // Lord Howe changes its clock by half an hour: 02:00 becomes 02:30 at 15:30 UTC.
    [
      'Australia/Lord_Howe',
      '10 2 * * *',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:40 shifted', '2026-10-04T15:10'],
    ],
    // Havana changes it at midnight: 00:00 becomes 01:00 at 05:00 UTC.
    ['America/Havana', '0 0 * * *', '2026-03-07T12:00Z', ['2026-03-08T05:00 shifted', '2026-03-09T04:00']],
  ])('in %s: "%s" is shifted by as much as the clock', (zone, fields, after, expected) => {
    expect(list(`CRON_TZ=${zone} ${fields}`, after, expected.length)).toEqual(expected);
  });

  it('is due once where it coincides with an existing one', () => {
    expect(list('CRON_TZ=Europe/Berlin 0,30 2,3 * * *', '2026-03-28T12:00Z', 3)).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T01:30',
      '2026-03-30T00:00',
    ]);
  });

  it('keeps the order of real time', () => {
    expect(list('CRON_TZ=Australia/Lord_Howe 20,40 2 * * *', '2026-10-03T00:00Z', 3)).toEqual([
      '2026-10-03T15:40',
      '2026-10-03T15:50 shifted',
      '2026-10-04T15:20',
    ]);
  });

  it('is skipped where the expression is for every hour', () => {
    expect(list('CRON_TZ=Europe/Berlin 30 * * * *', '2026-03-28T23:00Z', 3)).toEqual([
      '2026-03-28T23:30',
      '2026-03-29T00:30',
      '2026-03-29T01:30',
    ]);
  });

  it('does not occur on a day that the zone skipped', () => {
    // Apia had no 30 December 2011.
    expect(list('CRON_TZ=Pacific/Apia 0 12 29-31 12 *', '2011-12-29T00:00Z', 2)).toEqual([
      '2011-12-29T22:00',
      '2011-12-30T22:00',
    ]);
  });
});

describe('repeated wall time', () => {
  it.each([
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30 repeated', '2026-10-26T01:30']],
    [
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:30 repeated', '2026-11-02T06:30'],
    ],
    [
      'Australia/Lord_Howe',
      '45 1 * * *',
      '2026-04-04T00:00Z',
      ['2026-04-04T14:45 repeated', '2026-04-05T15:15'],
    ],
  ])('in %s: "%s" is due the first time only', (zone, fields, after, expected) => {
    expect(list(`CRON_TZ=${zone} ${fields}`, after, expected.length)).toEqual(expected);
  });

  it('is due both times where the expression is for every hour', () => {
    expect(list('CRON_TZ=Europe/Berlin */30 * * * *', '2026-10-24T23:59Z', 6)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
      '2026-10-25T02:30',
    ]);
  });

  it('is in the past when searched for in the second hour', () => {
    expect(list('CRON_TZ=Europe/Berlin 30 2 * * *', '2026-10-25T01:10Z', 1)).toEqual(['2026-10-26T01:30']);
  });
});

describe('expression', () => {
  it.each([
    ['0 0 29 2 *', '2026-01-01T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 29 2 1', '2026-01-01T00:00Z', ['2026-02-02T00:00', '2026-02-09T00:00']],
    ['0 0 L * *', '2026-01-15T00:00Z', ['2026-01-31T00:00', '2026-02-28T00:00']],
    ['0 0 * * 5#2', '2026-01-15T00:00Z', ['2026-02-13T00:00']],
    ['0 0 30 2 *', '2026-01-15T00:00Z', []],
    ['59 59 23 31 12 *', '2026-01-15T00:00Z', ['2026-12-31T23:59']],
  ])('"%s"', (fields, after, expected) => {
    expect(list(`CRON_TZ=UTC ${fields}`, after, Math.max(1, expected.length))).toEqual(expected);
  });

  it('is due on whole seconds, after the start time and not at it', () => {
    const schedule = readSchedule('CRON_TZ=UTC */10 * * * * *');
    expect(nextOccurrence(schedule, 9_999)).toEqual({ at: 10_000 });
    expect(nextOccurrence(schedule, 10_000)).toEqual({ at: 20_000 });
  });
});
