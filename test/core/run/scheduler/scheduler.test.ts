import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../../harness/resources.ts';
import { ScheduledHome } from '../dispatch-harness.ts';

const every10s = 'schedule: "*/10 * * * * *"\nsteps: ["true"]\n';
const hourly = 'schedule: "0 * * * *"\nsteps: ["true"]\n';

describe('scheduled time', () => {
  it('starts a run once when it is due', async () => {
    const home = new ScheduledHome();
    home.write('ten', every10s);
    await home.serve();
    await home.pass(9);
    expect(home.fireTimes()).toEqual([]);
    await home.pass(1);
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    expect(home.runs()).toEqual([{ dag: 'ten', status: 'succeeded', trigger: 'schedule' }]);
    expect(home.story()).toEqual(['10:00:10 start started']);
  });

  it('is in the time zone of the workflow', async () => {
    const home = new ScheduledHome('2026-03-29T01:28:50Z');
    home.write('gap', 'schedule: "30 2 * * *"\ntimezone: Europe/Berlin\nsteps: ["true"]\n');
    home.write('entry', 'schedule: "CRON_TZ=Asia/Kathmandu 14 7 * * *"\nsteps: ["true"]\n');
    await home.serve();
    await home.pass(75);
    await until(() => home.fireTimes().length === 2);
    // 07:14 in Kathmandu is 01:29 UTC. Berlin has no 02:30 on that day and uses 03:30 instead.
    expect(
      home.fireTimes().map(({ dag, at }) => `${dag} ${new Date(at).toISOString().slice(11, 16)}`),
    ).toEqual(['entry 01:29', 'gap 01:30']);
  });

  it('of an invalid workflow is recorded as failed, and the others continue', async () => {
    const home = new ScheduledHome();
    home.write('broken', 'schedule: "*/10 * * * * *"\nsteps: [{comand: x}]\n');
    home.write('nonsense', 'schedule: "every day"\nsteps: ["true"]\n');
    home.write('ten', every10s);
    const engine = await home.serve();
    await home.pass(10);
    await until(() => home.fireTimes().length === 2);
    expect(home.fireTimes('broken')).toMatchObject([
      { outcome: 'failed', reason: expect.stringContaining('Did you mean "command"') },
    ]);
    expect(home.fireTimes('ten')).toMatchObject([{ outcome: 'started' }]);
    expect(engine.reports.join()).toContain('nonsense.yaml:1:11');
  });
});

describe('missed times', () => {
  /** A scheduler ran until ten, and the next one from one o'clock and ten seconds on. */
  async function missThreeHours(fields: string): Promise<ScheduledHome> {
    const home = new ScheduledHome('2026-03-10T09:59:50Z');
    home.write('hourly', `${fields}\n${hourly}`);
    const first = await home.serve();
    await home.pass(20);
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    await home.close(first);
    home.clock.jumpTo(Date.parse('2026-03-10T13:05:10Z'));
    await home.serve();
    await home.pass(3);
    return home;
  }

  it('are skipped, and recorded as such', async () => {
    const home = await missThreeHours('');
    expect(home.story()).toEqual(['10:00:00 start started']);
    expect(home.notes()).toMatchObject([
      { kind: 'missed', dag: 'hourly', message: '3 scheduled runs were missed and are skipped.' },
    ]);
  });

  it('are caught up by one run with "last"', async () => {
    const home = await missThreeHours('catchup: last');
    await until(() => home.story().length === 2);
    expect(home.story()).toEqual(['10:00:00 start started', '13:00:00 start started']);
    expect(home.notes()[0]?.message).toContain(
      '3 scheduled runs were missed and are skipped, except the most recent one, which is started now.',
    );
  });

  it('are all caught up with "all", within the window', async () => {
    const home = await missThreeHours('catchup: all\ncatchupWindow: 2h\noverlap: allow');
    await until(() => home.story().length === 3);
    expect(home.story()).toEqual([
      '10:00:00 start started',
      '12:00:00 start started',
      '13:00:00 start started',
    ]);
  });

  it('are on time when another scheduler takes over within the minute', async () => {
    const home = new ScheduledHome('2026-03-10T09:59:50Z');
    home.write('hourly', hourly);
    const first = await home.serve();
    await home.pass(3);
    await home.close(first);
    home.clock.jumpTo(Date.parse('2026-03-10T10:00:30Z'));
    await home.serve();
    await until(() => home.story().length === 1);
    expect(home.story()).toEqual(['10:00:00 start started']);
    expect(home.notes()).toEqual([]);
  });

  it('before a workflow existed do not count', async () => {
    const home = new ScheduledHome();
    const first = await home.serve();
    await home.pass(2);
    await home.close(first);
    home.clock.jumpTo(Date.parse('2026-03-10T13:05:10Z'));
    home.write('hourly', `catchup: all\n${hourly}`);
    await home.serve();
    await home.pass(3);
    expect(home.story()).toEqual([]);
  });
});

describe('setting the clock', () => {
  it('forward skips times in between and reports them', async () => {
    const home = new ScheduledHome('2026-03-10T09:30:00Z');
    home.write('hourly', hourly);
    await home.serve();
    await home.pass(2);
    home.clock.jumpTo(Date.parse('2026-03-10T12:30:00Z'));
    await home.pass(2);
    expect(home.story()).toEqual([]);
    expect(home.notes().map(({ kind }) => kind)).toEqual(['clock_moved', 'missed']);
    home.clock.jumpTo(Date.parse('2026-03-10T12:59:58Z'));
    await home.pass(4);
    await until(() => home.story().length === 1);
    expect(home.story()).toEqual(['13:00:00 start started']);
  });

  it('back repeats nothing, and loses no later time', async () => {
    const home = new ScheduledHome('2026-03-10T09:59:58Z');
    home.write('hourly', hourly);
    await home.serve();
    await home.pass(4);
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    home.clock.jumpTo(Date.parse('2026-03-10T08:59:58Z'));
    await home.pass(4);
    await home.passUntil(() => home.runs()[1]?.status === 'succeeded');
    expect(home.notes()).toMatchObject([{ kind: 'clock_moved', message: expect.stringContaining('back') }]);
    home.clock.jumpTo(Date.parse('2026-03-10T09:59:58Z'));
    await home.pass(4);
    expect(home.story()).toEqual(['09:00:00 start started', '10:00:00 start started']);
    expect(home.runs()).toHaveLength(2);
  });
});

describe('files', () => {
  it('are noticed when they are created, changed and deleted', async () => {
    const home = new ScheduledHome();
    await home.serve();
    home.write('late', every10s);
    await home.pass(31);
    await home.pass(10);
    await until(() => home.fireTimes().length > 0);
    const before = home.fireTimes().length;
    rmSync(path.join(home.home, 'dags/late.yaml'));
    await home.pass(31);
    await home.pass(30);
    const after = home.fireTimes().length;
    await home.pass(30);
    expect(existsSync(path.join(home.home, 'dags/late.yaml'))).toBe(false);
    expect(home.fireTimes()).toHaveLength(after);
    expect(after).toBeGreaterThanOrEqual(before);
  });
});

describe('several schedulers', () => {
  it('share a home: one is active, and the next continues where it left off', async () => {
    const home = new ScheduledHome();
    home.write('ten', `overlap: allow\n${every10s}`);
    const first = await home.serve();
    const second = await home.serve();
    await home.pass(20);
    await until(() => home.fireTimes().length === 2);
    await home.close(first);
    await home.pass(20);
    await until(() => home.fireTimes().length === 4);
    expect(home.story()).toEqual(
      ['10:00:10', '10:00:20', '10:00:30', '10:00:40'].map((at) => `${at} start started`),
    );
    expect(home.runs()).toHaveLength(4);
    expect((await second.host.startScheduling()).isActive).toBe(true);
  });
});
