import { describe, expect, it } from 'vitest';
import { readHead } from '../../../../core/run/scheduler/dag-index.ts';

const steps = 'steps: ["true"]\n';

describe('workflow header', () => {
  it('has the schedule, and nothing of the steps', () => {
    const text =
      '# a comment\nname: etl\ntags: [a]\nschedule:\n  start:\n  - "0 1 * * *"\n\n  # late\n  stop: "0 2 * * *"\nsteps:\n- command: echo\n- run: x\ncatchup_window: 6h\ntz: UTC\n---\nname: other\nschedule: "@daily"\n';
    expect(readHead(text)).toEqual({
      text: `name: etl\nschedule:\n  start:\n  - "0 1 * * *"\n\n  # late\n  stop: "0 2 * * *"\ncatchup_window: 6h\ntz: UTC\n${steps}`,
      hasSchedule: true,
    });
  });

  it('can be without a schedule', () => {
    expect(readHead('steps: [a]\n')).toEqual({ text: `\n${steps}`, hasSchedule: false });
    expect(readHead('---\nSchedule: "@daily"\nsteps: [a]\n')?.hasSchedule).toBe(true);
  });

  it.each([
    '{schedule: "@daily", steps: [a]}',
    '"schedule": "@daily"\nsteps: [a]',
    '%YAML 1.2\n---\nschedule: "@daily"\n',
    'steps: [\na\n]\nschedule: "@daily"\n',
    '<<: {schedule: "@daily"}\nsteps: [a]\n',
    'a: 1\n'.repeat(201),
    `schedule:\n${'\n'.repeat(10_001)}`,
  ])('is not searched in %.40j', (text) => {
    expect(readHead(text)).toBeUndefined();
  });
});
