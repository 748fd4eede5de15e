import { describe, expect, it } from 'vitest';
import { listDays } from '../../../../core/spec/schedule/next-run.ts';

const iso = (at: number): string => new Date(at).toISOString();

describe('days of a zone', () => {
  it('start at midnight, and last 23 or 25 hours when the clock changes', () => {
    const days = listDays({ from: '2026-03-28', to: '2026-03-30' }, 'Europe/Berlin', 10);
    expect(days.map(({ date, from }) => [date, iso(from)])).toEqual([
      ['2026-03-28', '2026-03-27T23:00:00.000Z'],
      ['2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['2026-03-30', '2026-03-29T22:00:00.000Z'],
    ]);
    expect(days.map(({ from, until }) => (until - from) / 3_600_000)).toEqual([24, 23, 24]);
  });

  it('start later where the clock skips midnight', () => {
    const [day] = listDays({ from: '2018-11-04', to: '2018-11-04' }, 'America/Sao_Paulo', 10);
    expect(iso(day!.from)).toBe('2018-11-04T03:00:00.000Z');
    expect((day!.until - day!.from) / 3_600_000).toBe(23);
  });

  it('are empty for an empty period', () => {
    expect(listDays({ from: '2026-02-01', to: '2026-01-01' }, 'UTC', 10)).toEqual([]);
    expect(listDays({ from: '2026-02-30', to: '2026-03-02' }, 'UTC', 10)).toEqual([]);
    expect(listDays({ from: '2026-01-01', to: '2030-01-01' }, 'UTC', 3)).toHaveLength(3);
  });
});
