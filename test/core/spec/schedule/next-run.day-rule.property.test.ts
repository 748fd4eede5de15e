import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timesAfter } from '../../../../core/spec/schedule/next-run.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const dayMs = 86_400_000;

/**
 * A field of Vixie cron: its bits, and its star flag, which depends on the first character only (entry.c, get_list).
 */
function readField(text: string, [low, high]: readonly [number, number]) {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from, to] = range === '*' ? [low, high] : range.split('-').map(Number);
    for (let value = from!; value <= (to ?? from!); value += Number(step)) values.add(value);
  }
  return { has: (value: number) => values.has(value), isStar: text.startsWith('*') };
}

/** The days of a year on which Vixie cron runs a job (cron.c, find_jobs). */
function listDays(day: string, month: string, weekday: string, year: number): string[] {
  const dom = readField(day, [1, 31]);
  const months = readField(month, [1, 12]);
  const dow = readField(weekday, [0, 7]);
  const dates: string[] = [];
  for (let at = Date.UTC(year, 0); at < Date.UTC(year + 1, 0); at += dayMs) {
    const date = new Date(at);
    const byDay = dom.has(date.getUTCDate());
    const byWeekday = dow.has(date.getUTCDay()) || (date.getUTCDay() === 0 && dow.has(7));
    const fits = dom.isStar || dow.isStar ? byDay && byWeekday : byDay || byWeekday;
    if (fits && months.has(date.getUTCMonth() + 1)) dates.push(date.toISOString().slice(0, 10));
  }
  return dates;
}

const field = (low: number, high: number) => {
  const value = fc.integer({ min: low, max: high });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: high });
  const part = fc.oneof(
    value.map(String),
    range,
    fc.constant('*'),
    step.map((by) => `*/${by}`),
    fc.tuple(range, step).map(([text, by]) => `${text}/${by}`),
  );
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));
};

const daysOf = (expression: string, from: number, until: number): string[] => {
  const dates: string[] = [];
  for (const { at } of timesAfter([`CRON_TZ=UTC ${expression}`], from - 1)) {
    if (at >= until) break;
    dates.push(new Date(at).toISOString().slice(0, 10));
  }
  return dates;
};

describe('days of a cron expression', () => {
  it('are those of Vixie cron', () => {
    const years = fc.integer({ min: 1996, max: 2060 });
    fc.assert(
      fc.property(field(1, 31), field(1, 12), field(0, 6), years, (day, month, weekday, year) => {
        const own = daysOf(`0 0 ${day} ${month} ${weekday}`, Date.UTC(year, 0), Date.UTC(year + 1, 0));
        expect(own).toEqual(listDays(day, month, weekday, year));
      }),
      { numRuns: propertyRuns(200), seed: 29 },
    );
  });

  it('must match both fields when one starts with a star, and one of them otherwise', () => {
    const [from, until] = [Date.UTC(2026, 10, 24), Date.UTC(2027, 0, 8)];
    expect(daysOf('0 0 1-7 * */7', from, until)).toEqual(['2026-12-06', '2027-01-03']);
    expect(daysOf('0 0 1-7 * 0', from, until).slice(0, 4)).toEqual([
      '2026-11-29',
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
    ]);
  });
});
