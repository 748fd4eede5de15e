import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TrayContent, emptyTrayContent } from '../../main/tray-menu.ts';
import { HomeWatch } from '../../main/watch-home.ts';
import { TestEngine, testCaller } from '../harness/engine.ts';
import { until } from '../harness/resources.ts';

function watch(engine: TestEngine, favourites: string[] = []) {
  const shown: TrayContent[] = [];
  const home = new HomeWatch(
    engine.host.api,
    engine.clock,
    () => favourites,
    (picture) => shown.push(picture),
  );
  onTestFinished(() => home.stop());
  home.begin();
  /** Advances time until a snapshot matches. */
  const untilShown = (fits: (content: TrayContent) => boolean): Promise<void> =>
    until(() => {
      engine.clock.advance(10);
      const last = shown.at(-1);
      return last !== undefined && fits(last);
    });
  return { shown, home, untilShown };
}

const spec = 'name: etl\nsteps:\n  - echo hello\n';

test('reports the state immediately, and again after a run', async () => {
  const engine = new TestEngine();
  const { shown, untilShown } = watch(engine);
  await untilShown(() => true);
  expect(shown[0]).toEqual(emptyTrayContent);
  const run = await engine.run(spec);
  await untilShown(({ recent }) => recent.length === 1);
  expect(shown.at(-1)).toMatchObject({
    running: [],
    failed: 0,
    recent: [{ name: 'etl', dagRunId: run.dagRunId, status: 'succeeded' }],
  });
});

test('shows an active run with its progress', async () => {
  const engine = new TestEngine();
  const { shown, untilShown } = watch(engine);
  const run = await engine.start('name: long\nsteps:\n  - "true"\n  - sleep 600\n');
  await untilShown(({ running }) => running[0]?.progress === '1 of 2 steps');
  expect(shown.at(-1)?.running).toMatchObject([{ name: 'long', dagRunId: run.dagRunId, status: 'running' }]);
});

test('refreshes immediately after a pause requested by the window', async () => {
  const engine = new TestEngine();
  const { shown, home, untilShown } = watch(engine);
  await untilShown(() => true);
  await engine.host.api.call('schedules.pause', {}, testCaller);
  const before = engine.clock.now();
  home.refreshAfter('runs.list');
  home.refreshAfter('queues.list');
  home.refreshAfter('schedules.pause');
  await untilShown(({ pausedUntil }) => pausedUntil === '');
  expect(shown).toHaveLength(2);
  expect(engine.clock.now() - before).toBeLessThan(5000);
});

test('counts failures until they are viewed', async () => {
  const engine = new TestEngine();
  const { shown, home, untilShown } = watch(engine);
  await untilShown(() => true);
  await engine.run('name: etl\nsteps:\n  - "false"\n');
  await untilShown(({ failed }) => failed === 1);
  home.markSeen();
  await untilShown(({ failed }) => failed === 0);
  expect(shown.at(-1)?.failed).toBe(0);
});

test('includes upcoming workflows, favourites, recent ones, the pause and queued runs', async () => {
  const engine = new TestEngine();
  const dags = path.join(engine.home, 'dags');
  mkdirSync(dags, { recursive: true });
  writeFileSync(path.join(dags, 'nightly.yaml'), 'schedule: "30 2 * * *"\nsteps:\n  - "true"\n');
  writeFileSync(path.join(dags, 'often.yaml'), 'steps:\n  - "true"\n');
  const { shown, home, untilShown } = watch(engine, ['nightly', 'gone']);
  const { api } = engine.host;
  const run = await api.call('dags.start', { fileName: 'often' }, testCaller);
  await engine.end(run);
  await api.call('runs.enqueue', { spec, queue: 'slow' }, testCaller);
  await api.call('queues.pause', { queue: 'slow' }, testCaller);
  await api.call('schedules.pause', {}, testCaller);
  home.refreshSoon(0);
  await untilShown(({ pausedUntil, next }) => pausedUntil !== undefined && next.length > 0);
  expect(shown.at(-1)).toMatchObject({
    next: [{ fileName: 'nightly', at: expect.stringContaining('T02:30') }],
    favourites: [
      { fileName: 'nightly', name: 'nightly' },
      { fileName: 'gone', name: 'gone' },
    ],
    started: [{ fileName: 'often' }],
    queues: [{ name: 'slow', state: 'paused', waiting: 1 }],
    pausedUntil: '',
    isSchedulerStopped: true,
  });
});

test('coalesces many events into few updates', async () => {
  const engine = new TestEngine();
  const { shown, untilShown } = watch(engine);
  await untilShown(() => true);
  const before = shown.length;
  const steps = Array.from({ length: 40 }, () => '  - "true"').join('\n');
  await engine.run(`name: wide\ntype: graph\nsteps:\n${steps}\n`);
  await untilShown(({ recent }) => recent.length === 1);
  expect(shown.length - before).toBeLessThan(15);
});

test('reports nothing after it was stopped', async () => {
  const engine = new TestEngine();
  const { shown, home, untilShown } = watch(engine);
  await untilShown(() => true);
  const before = shown.length;
  home.stop();
  await engine.run(spec);
  engine.clock.advance(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown).toHaveLength(before);
});
