import { describe, expect, it } from 'vitest';
import { findNextStart } from '../../../../core/spec/schedule/next-run.ts';

const none = { start: [], stop: [], restart: [] };
const at = (text: string) => Date.parse(text);

describe('findNextStart', () => {
  it('is the earliest of all expressions, each in its own time zone', () => {
    const start = ['CRON_TZ=Europe/Berlin 0 6 * * *', 'CRON_TZ=America/New_York 0 2 * * *'];
    // 06:00 in Berlin is 05:00 UTC in winter and 04:00 in summer; 02:00 in New York is 07:00 and 06:00.
    expect(findNextStart({ ...none, start }, at('2026-01-10T00:00:00Z'))).toBe(at('2026-01-10T05:00:00Z'));
    expect(findNextStart({ ...none, start }, at('2026-07-10T00:00:00Z'))).toBe(at('2026-07-10T04:00:00Z'));
    expect(findNextStart({ ...none, start }, at('2026-01-10T05:00:00Z'))).toBe(at('2026-01-10T07:00:00Z'));
  });

  it('is undefined without an expression', () => {
    expect(findNextStart(none, 0)).toBeUndefined();
  });
});
