import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';
import { findNextStart } from '../../../core/spec/schedule/next-run.ts';
import { diagnose } from '../../harness/workflow-texts.ts';

const withSchedule = (schedule: unknown): string => `schedule: ${JSON.stringify(schedule)}\nsteps: [a]\n`;

describe('days of a schedule', () => {
  it.each(['0 0 1-7 * */7', '0 0 */2 * 1', 'CRON_TZ=UTC 0 0 0 */2 * MON-FRI'])(
    'have a warning where Dagu has others: %s',
    (cron) => {
      expect(diagnose(withSchedule(cron))).toEqual([
        `1:11: warning: "${cron}" runs on days that match both day fields, as in cron; Dagu runs on days that match either field. To match either, list the days without "*", such as "1-31/2" for "*/2". (schedule)`,
      ]);
    },
  );

  it.each([
    '0 0 1-7 * 0',
    '0 0 */2 * *',
    '0 0 */1 * 1',
    '0 0 * * */2',
    '0 0 ? * MON',
    '0 0 1-7 * +7',
    '*/5 */2 * */3 1',
  ])('are the same in both: %s', (cron) => {
    expect(diagnose(withSchedule(cron))).toEqual([]);
  });
});

describe('@reboot', () => {
  it('is a start without a time zone, alone or in a list', () => {
    const { workflows } = loadSpec({
      text: `timezone: UTC\n${withSchedule({ start: ['@Reboot', '0 1 * * *', 'CRON_TZ=Asia/Tokyo @reboot'] })}`,
    });
    expect(workflows[0]!.schedule.start).toEqual(['@reboot', 'CRON_TZ=UTC 0 1 * * *', '@reboot']);
    expect(loadSpec({ text: withSchedule('@reboot') }).workflows[0]!.schedule.start).toEqual(['@reboot']);
  });

  it('can neither stop nor restart', () => {
    expect(diagnose(withSchedule({ restart: '@reboot' }))).toEqual([
      '1:22: "@reboot" can only be used for "start". Move it there, or remove it. (schedule.restart)',
    ]);
  });
});

describe('a date with a time', () => {
  it('is one start in the time zone of the workflow', () => {
    const { workflows } = loadSpec({
      text: `timezone: Europe/Berlin\n${withSchedule(['2026-12-01T14:00', '0 1 * * *'])}`,
    });
    const { schedule } = workflows[0]!;
    expect(schedule.start).toEqual([
      'CRON_TZ=Europe/Berlin 2026-12-01T14:00',
      'CRON_TZ=Europe/Berlin 0 1 * * *',
    ]);
    const once = { ...schedule, start: schedule.start.slice(0, 1) };
    expect(findNextStart(once, Date.parse('2026-11-01T00:00Z'))).toBe(Date.parse('2026-12-01T13:00Z'));
    expect(findNextStart(once, Date.parse('2026-12-01T13:00Z'))).toBeUndefined();
  });

  it('must exist', () => {
    for (const text of ['2026-02-30T14:00', '2026-12-01T25:00'])
      expect(diagnose(withSchedule(text))[0]).toContain(
        `Invalid cron expression "${text}": this date or time does not exist.`,
      );
  });
});

describe('schedule limits', () => {
  it('are 100 entries of all kinds', () => {
    const entries = (count: number) => Array.from({ length: count }, () => '0 6 * * *');
    expect(diagnose(withSchedule(entries(100)))).toEqual([]);
    const message =
      'The schedule has 101 entries. The limit is 100; combine entries with lists and ranges, such as "0 8-18 * * *". (schedule)';
    expect(diagnose(withSchedule(entries(101)))).toEqual([`1:11: ${message}`]);
    expect(diagnose(withSchedule({ start: entries(100), stop: '0 7 * * *' }))).toEqual([`1:11: ${message}`]);
  });

  it('are 1,000 characters for an entry', () => {
    const minutes = (count: number) => `${Array.from({ length: count }, () => '10').join(',')} * * * *`;
    expect(diagnose(withSchedule(minutes(300)))).toEqual([]);
    expect(diagnose(withSchedule(minutes(400)))[0]).toContain('1,207 characters (the limit is 1,000)');
  });
});
