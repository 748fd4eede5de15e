import { describe, expect, it } from 'vitest';
import { testCaller } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { ScheduledHome, suspend } from '../dispatch-harness.ts';

/** Runs until it is stopped. */
const long = 'steps: ["exec sleep 600"]\n';
const every10s = 'schedule: "*/10 * * * * *"\n';

describe('start while a run is active', () => {
  it('is skipped, with a reason', async () => {
    const home = new ScheduledHome();
    home.write('long', `${every10s}${long}`);
    await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(10);
    await until(() => home.fireTimes().length >= 2);
    expect(home.fireTimes().slice(0, 2)).toMatchObject([
      { outcome: 'started' },
      { outcome: 'skipped', reason: 'A run of long was still active.' },
    ]);
    expect(home.runs()).toHaveLength(1);
  });

  it('runs in parallel with "allow", up to a limit of more than one', async () => {
    const home = new ScheduledHome();
    home.write('free', `${every10s}overlap: allow\n${long}`);
    home.write('two', `${every10s}overlap: allow\nmaxActiveRuns: 2\n${long}`);
    await home.serve();
    for (let count = 0; count < 3; count += 1) await home.pass(10);
    await until(() => home.fireTimes('free').length >= 3 && home.fireTimes('two').length >= 3);
    expect(home.fireTimes('free').map(({ outcome }) => outcome)).toEqual(['started', 'started', 'started']);
    expect(home.fireTimes('two').map(({ outcome }) => outcome)).toEqual(['started', 'started', 'skipped']);
    expect(home.fireTimes('two')[2]?.reason).toContain('maxActiveRuns is 2');
  });

  it('is queued with "queue"', async () => {
    const home = new ScheduledHome();
    home.write('patient', `${every10s}overlap: queue\n${long}`);
    await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(10);
    await until(() => home.runs().length >= 2);
    expect(home.fireTimes()[1]).toMatchObject({ outcome: 'started', reason: null });
    expect(home.runs()[1]?.status).toBe('queued');
  });
});

describe('stop time', () => {
  it('stops active runs', async () => {
    const home = new ScheduledHome();
    home.write('day', `schedule: {start: "10 * * * * *", stop: "20 * * * * *"}\n${long}`);
    await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'aborted');
    expect(home.story().slice(0, 2)).toEqual(['10:00:10 start started', '10:00:20 stop stopped']);
  });

  it('is recorded as skipped when nothing is active', async () => {
    const home = new ScheduledHome();
    home.write('day', `schedule: {stop: "20 * * * * *"}\n${long}`);
    await home.serve();
    await home.pass(20);
    await until(() => home.fireTimes().length === 1);
    expect(home.fireTimes()[0]).toMatchObject({ outcome: 'skipped', reason: 'No run of day was active.' });
  });

  it('comes before a start of the same second', async () => {
    const home = new ScheduledHome();
    home.write('turn', `schedule: {start: "*/30 * * * * *", stop: "0 * * * * *"}\noverlap: allow\n${long}`);
    await home.serve();
    await home.pass(30);
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(30);
    await home.passUntil(() => home.runs()[0]?.status === 'aborted' && home.runs()[1]?.status === 'running');
    expect(home.runs().map(({ status }) => status)).toEqual(['aborted', 'running']);
  });
});

describe('restart time', () => {
  const service = `schedule: {start: "10 0 * * * *", restart: "20 0 * * * *"}\nrestartWaitSec: 5\n${long}`;

  it('stops active runs and starts again after the delay', async () => {
    const home = new ScheduledHome();
    home.write('service', service);
    await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(10);
    await home.passUntil(() => home.runs()[1]?.status === 'running');
    expect(home.story()).toEqual(['10:00:10 start started', '10:00:20 restart started']);
    expect(home.runs().map(({ status }) => status)).toEqual(['aborted', 'running']);
  });

  it('is finished by the next scheduler when the first one has stopped in between', async () => {
    const home = new ScheduledHome();
    home.write('service', service);
    const first = await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(9);
    home.clock.advance(1000);
    await home.passUntil(
      () => home.fireTimes()[1]?.outcome === 'restarting' && home.runs()[0]?.status === 'aborted',
    );
    await home.close(first);
    await home.serve();
    await home.passUntil(() => home.runs()[1]?.status === 'running');
    expect(home.story()).toEqual(['10:00:10 start started', '10:00:20 restart started']);
  });
});

describe('suspended workflow', () => {
  it('is not started until it is resumed, and does not catch up', async () => {
    const home = new ScheduledHome();
    home.write('ten', `${every10s}catchup: all\nsteps: ["true"]\n`);
    const engine = await home.serve();
    expect(await suspend(engine, 'ten', true)).toEqual({ suspended: true });
    await home.pass(20);
    expect(home.fireTimes()).toEqual([]);
    const { dags } = await engine.host.api.call('dags.list', {}, testCaller);
    expect(dags[0]).toMatchObject({ fileName: 'ten', suspended: true, nextRun: undefined });
    await suspend(engine, 'ten', false);
    await home.pass(10);
    await until(() => home.fireTimes().length === 1);
    expect(home.story()).toEqual(['10:00:30 start started']);
  });

  it('stays suspended for the next scheduler, and can be started manually', async () => {
    const home = new ScheduledHome();
    home.write('ten', `${every10s}steps: ["true"]\n`);
    const first = await home.serve();
    await suspend(first, 'ten', true);
    await home.close(first);
    const second = await home.serve();
    await home.pass(20);
    expect(home.fireTimes()).toEqual([]);
    await second.host.startRun({ source: { fileName: 'ten' }, trigger: 'cli' });
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    await expect(suspend(second, 'nothing', true)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('skipIfSuccessful', () => {
  it('skips a start when a manual run has succeeded since the one before', async () => {
    const home = new ScheduledHome();
    home.write('ten', `${every10s}skipIfSuccessful: true\nsteps: ["true"]\n`);
    const engine = await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    await engine.host.startRun({ source: { fileName: 'ten' }, trigger: 'cli' });
    await home.passUntil(() => home.runs()[1]?.status === 'succeeded');
    await home.pass(10);
    await until(() => home.fireTimes().length >= 2);
    await home.pass(10);
    await home.passUntil(() => home.fireTimes().length >= 3);
    expect(
      home
        .fireTimes()
        .slice(0, 3)
        .map(({ outcome }) => outcome),
    ).toEqual(['started', 'skipped', 'started']);
    expect(home.fireTimes()[1]?.reason).toContain('has succeeded since');
  });
});

describe('run of selected steps', () => {
  it('does not count for skipIfSuccessful', async () => {
    const home = new ScheduledHome();
    const steps = '[{name: a, command: "true"}, {name: b, command: "true"}]';
    home.write('ten', `${every10s}skipIfSuccessful: true\nsteps: ${steps}\n`);
    const engine = await home.serve();
    await home.pass(10);
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    const part = { selection: { steps: ['a'] } };
    await engine.host.startRun({ source: { fileName: 'ten' }, trigger: 'cli', part });
    await home.passUntil(() => home.runs()[1]?.status === 'succeeded');
    await home.pass(10);
    await until(() => home.fireTimes().length >= 2);
    expect(home.fireTimes()[1]?.outcome).toBe('started');
  });
});

describe('operations', () => {
  it('return next times, with the effect of clock changes', async () => {
    const home = new ScheduledHome('2026-03-28T12:00:00Z');
    home.write('gap', 'schedule: "30 2 * * *"\ntimezone: Europe/Berlin\nsteps: ["true"]\n');
    const engine = await home.serve();
    const { times } = await engine.host.api.call('dags.nextTimes', { fileName: 'gap', limit: 2 }, testCaller);
    expect(times).toEqual([
      { at: '2026-03-29T01:30:00.000Z', kind: 'start', change: 'shifted' },
      { at: '2026-03-30T00:30:00.000Z', kind: 'start' },
    ]);
  });

  it('list schedulers and their messages', async () => {
    const home = new ScheduledHome();
    const engine = await home.serve();
    const other = await home.serve();
    const { schedulers } = await engine.host.api.call('services.scheduler', {}, testCaller);
    expect(schedulers.map(({ status }) => status).toSorted()).toEqual(['active', 'inactive']);
    await home.close(other);
    home.clock.jumpTo(home.clock.now() + 3_600_000);
    await home.pass(1);
    const after = await engine.host.api.call('services.scheduler', {}, testCaller);
    expect(after.schedulers).toHaveLength(1);
    expect(after.notes).toMatchObject([{ kind: 'clock_moved' }]);
  });
});
