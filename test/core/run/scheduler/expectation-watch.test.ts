import { describe, expect, it } from 'vitest';
import { testCaller, type TestEngine } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { ScheduledHome, suspend } from '../dispatch-harness.ts';

const nightly = 'schedule: "0 5 * * *"\ntimezone: Europe/Berlin\nexpect: { by: "06:30" }\n';
const good = 'steps: ["true"]\n';
const bad = 'steps: ["false"]\n';

const listMissed = async (engine: TestEngine, fileName: string) => {
  const dag = await engine.host.api.call('dags.get', { fileName }, testCaller);
  return (dag.missed ?? []).map(({ kind, rule, deadline }) => `${kind} ${rule} ${deadline.slice(0, 16)}`);
};

describe('expect.by', () => {
  it('marks a workflow without a success in time as late, until the next success', async () => {
    const home = new ScheduledHome('2026-03-10T03:59:50Z');
    home.write('load', nightly + bad);
    home.write('fine', nightly + good);
    const engine = await home.serve();
    await home.pass(30);
    await home.passUntil(() => home.runs().every(({ status }) => ['failed', 'succeeded'].includes(status)));
    home.clock.jumpTo(Date.parse('2026-03-10T05:29:55Z'));
    await home.pass(5);
    expect(await listMissed(engine, 'load')).toEqual([]);
    await home.pass(10);
    expect(await listMissed(engine, 'load')).toEqual(['late by 2026-03-10T05:30']);
    expect(await listMissed(engine, 'fine')).toEqual([]);
    expect(home.missed()).toMatchObject([
      { dag: 'load', message: 'No run succeeded by 06:30 on 2026-03-10 (Europe/Berlin).', resolved_at: null },
    ]);
    home.write('load', nightly + good);
    await engine.host.startRun({ source: { fileName: 'load' }, trigger: 'api' });
    await home.passUntil(() => home.runs().at(-1)?.status === 'succeeded');
    await home.pass(6);
    expect(await listMissed(engine, 'load')).toEqual([]);
    expect(home.missed()[0]!.resolved_at).not.toBeNull();
  });

  it('counts a start in the evening for the next morning', async () => {
    const home = new ScheduledHome('2026-03-09T20:59:50Z');
    home.write(
      'evening',
      `schedule: "0 22 * * *"\ntimezone: Europe/Berlin\nexpect: { by: "06:30" }\n${good}`,
    );
    const engine = await home.serve();
    await home.pass(15);
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    home.clock.jumpTo(Date.parse('2026-03-10T05:30:10Z'));
    await home.pass(6);
    expect(await listMissed(engine, 'evening')).toEqual([]);
  });

  it('is decided late and once after sleep, also over a change of the clock', async () => {
    const home = new ScheduledHome('2026-03-28T12:00:00Z');
    home.write('idle', `timezone: Europe/Berlin\nexpect: { by: "06:30" }\n${good}`);
    const engine = await home.serve();
    await home.pass(6);
    home.clock.jumpTo(Date.parse('2026-03-30T09:00:00Z'));
    await home.pass(12);
    // 06:30 in summer time; the deadline of the 29th is not reported on its own.
    expect(await listMissed(engine, 'idle')).toEqual(['late by 2026-03-30T04:30']);
    home.clock.jumpTo(Date.parse('2026-03-30T04:29:00Z'));
    await home.pass(80);
    expect(home.missed()).toHaveLength(1);
  });

  it('does not count deadlines from before it was written, or while suspended', async () => {
    const home = new ScheduledHome('2026-03-10T12:00:00Z');
    home.write('idle', `expect: { by: "06:30" }\n${good}`);
    const engine = await home.serve();
    await home.pass(10);
    expect(home.missed()).toEqual([]);
    await suspend(engine, 'idle', true);
    home.clock.jumpTo(Date.parse('2026-03-11T07:00:00Z'));
    await home.pass(10);
    await suspend(engine, 'idle', false);
    await home.pass(10);
    expect(home.missed()).toEqual([]);
    home.clock.jumpTo(Date.parse('2026-03-12T07:00:00Z'));
    await home.pass(10);
    expect(await listMissed(engine, 'idle')).toEqual(['late by 2026-03-12T06:30']);
  });

  it('is decided once by two schedulers, and again by none that takes over', async () => {
    const home = new ScheduledHome('2026-03-10T06:29:50Z');
    home.write('idle', `expect: { by: "06:30" }\n${good}`);
    const first = await home.serve();
    const second = await home.serve();
    await home.pass(20);
    await home.close(first);
    await home.pass(30);
    expect(await listMissed(second, 'idle')).toEqual(['late by 2026-03-10T06:30']);
    expect(home.missed()).toHaveLength(1);
  });
});

const slow = 'steps: ["while [ ! -e go ]; do sleep 0.01; done"]\n';

describe('expectations of runs', () => {
  it('mark a run as late after `within`, and as long after `longest`', async () => {
    const home = new ScheduledHome('2026-03-10T10:00:00Z');
    home.write('slow', `workingDir: ${home.home}\nexpect: { within: 20m, longest: 30m }\n${slow}`);
    const engine = await home.serve();
    await engine.host.startRun({ source: { fileName: 'slow' }, trigger: 'api' });
    await home.passUntil(() => home.runs()[0]?.status === 'running');
    await home.pass(6);
    home.clock.advance(20 * 60_000);
    await home.pass(6);
    expect(home.missed().map(({ kind, rule }) => `${kind} ${rule}`)).toEqual(['late within']);
    home.clock.advance(10 * 60_000);
    await home.pass(6);
    expect(home.missed().map(({ kind, rule }) => `${kind} ${rule}`)).toEqual(['late within', 'long longest']);
    home.go();
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    await home.pass(6);
    expect(await listMissed(engine, 'slow')).toEqual([]);
    expect(home.missed()).toHaveLength(2);
    // Both remain on the run in lists.
    home.write('fine', good);
    await engine.host.startRun({ source: { fileName: 'fine' }, trigger: 'api' });
    const { dagRuns } = await engine.host.api.call('runs.list', {}, testCaller);
    expect(dagRuns.map(({ name, missed }) => [name, missed?.map(({ kind }) => kind)])).toEqual([
      ['fine', undefined],
      ['slow', ['late', 'long']],
    ]);
  });

  it('know the usual duration after five successful runs', async () => {
    const home = new ScheduledHome('2026-03-10T10:00:00Z');
    home.write('usual', `workingDir: ${home.home}\nmaxActiveRuns: 5\nexpect: { longest: 2x usual }\n${slow}`);
    const engine = await home.serve();
    const runFor = async (minutes: number, count: number): Promise<void> => {
      home.hold();
      const start = (): Promise<unknown> =>
        engine.host.startRun({ source: { fileName: 'usual' }, trigger: 'api' });
      await Promise.all(Array.from({ length: count }, start));
      await home.passUntil(() => home.runs().filter(({ status }) => status === 'running').length === count);
      home.clock.advance(minutes * 60_000);
      await home.pass(6);
      home.go();
      await home.passUntil(() => home.runs().every(({ status }) => status === 'succeeded'));
    };
    await runFor(10, 4);
    await runFor(60, 1);
    expect(home.missed()).toEqual([]);
    await runFor(25, 1);
    expect(home.missed()).toMatchObject([
      {
        kind: 'long',
        message: expect.stringMatching(
          /^The run takes longer than 20m \d\ds, 2 times the usual 10m \d\ds\.$/,
        ),
      },
    ]);
  });
});

describe('expect.every', () => {
  it('reports silence once, and ends with a success', async () => {
    const home = new ScheduledHome('2026-03-10T10:00:00Z');
    home.write('rare', `expect: { every: 1d }\n${good}`);
    const engine = await home.serve();
    await home.pass(6);
    home.clock.jumpTo(Date.parse('2026-03-11T10:00:10Z'));
    await home.pass(70);
    expect(home.missed()).toMatchObject([
      { kind: 'missing', rule: 'every', message: 'No run has succeeded yet. Expected: one every 1d 00h.' },
    ]);
    await engine.host.startRun({ source: { fileName: 'rare' }, trigger: 'api' });
    await home.passUntil(() => home.runs()[0]?.status === 'succeeded');
    await home.pass(6);
    expect(await listMissed(engine, 'rare')).toEqual([]);
    home.clock.jumpTo(Date.parse('2026-03-12T12:00:00Z'));
    await home.pass(70);
    expect(home.missed()).toHaveLength(2);
  });
});

describe('a scheduled start', () => {
  it('that failed or was missed is missing once, also without `expect`', async () => {
    const home = new ScheduledHome('2026-03-10T09:59:50Z');
    home.write('broken', 'schedule: "*/5 * * * * *"\nsteps: [{comand: x}]\n');
    home.write('hourly', 'schedule: "0 * * * *"\nsteps: ["true"]\n');
    const first = await home.serve();
    await home.pass(15);
    await until(() => home.missed().length === 1);
    expect(home.missed()).toMatchObject([{ dag: 'broken', kind: 'missing', rule: 'start' }]);
    await home.close(first);
    home.clock.jumpTo(Date.parse('2026-03-10T13:05:10Z'));
    await home.serve();
    await home.pass(6);
    expect(home.missed()[1]).toMatchObject({
      dag: 'hourly',
      deadline: Date.parse('2026-03-10T13:00:00Z'),
      message: '3 scheduled runs did not start because no scheduler was running.',
    });
  });

  it('that was paused is not', async () => {
    const home = new ScheduledHome('2026-03-10T09:59:50Z');
    home.write('hourly', 'schedule: "0 * * * *"\nexpect: { by: "12:30", every: 1h }\nsteps: ["true"]\n');
    const engine = await home.serve();
    await home.pass(2);
    await engine.host.api.call('schedules.pause', {}, testCaller);
    await home.pass(2);
    home.clock.jumpTo(Date.parse('2026-03-10T13:05:10Z'));
    await home.pass(2);
    await engine.host.api.call('schedules.resume', {}, testCaller);
    await home.pass(10);
    expect(home.missed()).toEqual([]);
  });
});
