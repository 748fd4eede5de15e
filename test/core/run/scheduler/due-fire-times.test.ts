import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Catchup } from '../../../../core/model/workflow.ts';
import type { ScheduledDag } from '../../../../core/run/scheduler/dag-index.ts';
import { findDueFireTimes } from '../../../../core/run/scheduler/due-fire-times.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const none = { start: [], stop: [], restart: [] };
const defaults = { zone: 'UTC', catchup: 'skip', windowMs: 86_400_000 } as const;
const at = (text: string) => Date.parse(`2026-03-10T${text}Z`);

function find(dag: Partial<ScheduledDag>, after: string, now: string) {
  const due = findDueFireTimes({ dag: 'x', name: 'x', schedule: none, ...dag }, at(after), at(now), defaults);
  const fireTimes = due.fireTimes.map(
    (fireTime) => `${new Date(fireTime.at).toISOString().slice(11, 19)} ${fireTime.kind}`,
  );
  return { ...due, fireTimes };
}

const hourly = { ...none, start: ['0 * * * *'] };

describe('due fire times', () => {
  it('are all up to now, those of one instant in the order stop, restart, start', () => {
    const schedule = { start: ['*/30 * * * * *'], stop: ['0 * * * * *'], restart: ['0 * * * * *'] };
    expect(find({ schedule }, '09:59:40', '10:00:35').fireTimes).toEqual([
      '10:00:00 stop',
      '10:00:00 restart',
      '10:00:00 start',
      '10:00:30 start',
    ]);
  });

  it('are on time up to a minute late, whatever the policy', () => {
    expect(find({ schedule: hourly }, '09:00:00', '10:00:59')).toMatchObject({
      fireTimes: ['10:00:00 start'],
      missed: 0,
    });
    expect(find({ schedule: hourly }, '09:00:00', '10:01:01')).toMatchObject({ fireTimes: [], missed: 1 });
  });

  it('with "last" are only the newest missed one, and none when one is on time', () => {
    const dag = { schedule: hourly, catchup: 'last' as const };
    expect(find(dag, '05:30:00', '10:30:00')).toMatchObject({
      fireTimes: ['10:00:00 start'],
      missed: 4,
      caughtUp: 1,
    });
    expect(find(dag, '05:30:00', '10:00:10')).toMatchObject({
      fireTimes: ['10:00:00 start'],
      missed: 4,
      caughtUp: 0,
    });
  });

  it('are limited by the window, and to a thousand', () => {
    const dag = { schedule: hourly, catchup: 'all' as const, catchupWindowSec: 2 * 3600 };
    expect(find(dag, '01:30:00', '10:30:00').fireTimes).toEqual(['09:00:00 start', '10:00:00 start']);
    const busy = { schedule: { ...none, start: ['* * * * * *'] }, catchup: 'all' as const };
    const { fireTimes, isMissedPart } = find(busy, '01:30:00', '10:30:00');
    expect(fireTimes).toHaveLength(1060);
    expect(isMissedPart).toBe(true);
    expect(fireTimes[0]).toBe('10:12:21 start');
  });

  it('exclude missed stops and restarts', () => {
    const schedule = { start: [], stop: ['0 * * * *'], restart: ['0 * * * *'] };
    expect(find({ schedule, catchup: 'all' }, '05:30:00', '10:30:00').fireTimes).toEqual([]);
  });

  it('are each returned once, however time is split into polls', () => {
    const policies = fc.constantFrom<Catchup>('skip', 'last', 'all');
    fc.assert(
      fc.property(
        policies,
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }),
        (catchup, waits) => {
          const dag = { dag: 'x', name: 'x', schedule: { ...none, start: ['*/7 * * * * *'] }, catchup };
          const begin = at('10:00:03');
          const seen: number[] = [];
          let after = begin;
          for (const seconds of waits) {
            const now = after + seconds * 1000;
            seen.push(
              ...findDueFireTimes(dag, after, now, defaults).fireTimes.map((fireTime) => fireTime.at),
            );
            after = now;
          }
          const expected = [];
          for (let time = begin + 1000; time <= after; time += 1000)
            if (new Date(time).getUTCSeconds() % 7 === 0) expected.push(time);
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: propertyRuns(100), seed: 3 },
    );
  });
});
