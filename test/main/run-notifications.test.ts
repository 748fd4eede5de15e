import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '../../main/settings.ts';
import type { DesktopNotification } from '../../main/notifier.ts';
import { RunNotifications } from '../../main/run-notifications.ts';
import { FakeClock } from '../harness/fakes.ts';
import { TestEngine, testCaller } from '../harness/engine.ts';
import { until } from '../harness/resources.ts';

let engine: TestEngine;
let settings: typeof defaultSettings.notifications;
let shown: DesktopNotification[];

beforeEach(() => {
  engine = new TestEngine({ clock: new FakeClock(Date.parse('2026-01-15T12:00:00Z')) });
  settings = { ...defaultSettings.notifications };
  shown = [];
  const notices = new RunNotifications(
    engine.host.api,
    engine.clock,
    'UTC',
    () => settings,
    (notice) => shown.push(notice),
  );
  onTestFinished(() => notices.stop());
});

const failing = (name: string): string => `name: ${name}\nsteps:\n  - "false"\n`;
const working = (name: string): string => `name: ${name}\nsteps:\n  - "true"\n`;
const titles = (): string[] => shown.map(({ title }) => title);

/** Waits until found events are notified: the engine has responded, and the burst window is over. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  engine.clock.advance(2000);
}

test('a failure is notified once, with its page and the run to retry; a success is not', async () => {
  await engine.run(working('quiet'));
  const { dagRunId } = await engine.run(failing('etl'));
  await settle();
  expect(shown).toEqual([
    {
      title: 'etl failed',
      body: expect.stringMatching(/exit code 1|failed/),
      address: `#/runs/etl/${dagRunId}`,
      retry: { name: 'etl', dagRunId },
      tone: 'error',
    },
  ]);
  await settle();
  expect(shown).toHaveLength(1);
});

test('the first success after a failure is notified, the second is not', async () => {
  await engine.run(failing('etl'));
  await engine.run(working('etl'));
  await engine.run(working('etl'));
  await settle();
  expect(titles()).toEqual(['etl failed', 'etl recovered']);
});

test('a retry that fails again is notified again', async () => {
  const run = await engine.run(failing('etl'));
  await settle();
  await engine.host.api.call('runs.retry', { name: run.name, dagRunId: run.dagRunId }, testCaller);
  await engine.end(run);
  await settle();
  expect(titles()).toEqual(['etl failed', 'etl failed']);
});

test('a burst becomes one notification', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await engine.run(failing(name));
  await settle();
  expect(shown).toEqual([
    { title: '5 workflows failed', body: 'a, b, c, d, e', address: '#/runs?status=failed', tone: 'error' },
  ]);
});

test('a run waiting in a paused queue is notified', async () => {
  engine.host.processQueues();
  await engine.host.api.call('runs.enqueue', { spec: working('first'), queue: 'slow' }, testCaller);
  await engine.host.api.call('queues.pause', { queue: 'slow' }, testCaller);
  await engine.host.api.call('runs.enqueue', { spec: working('second'), queue: 'slow' }, testCaller);
  await until(() => {
    engine.clock.advance(50);
    return titles().includes('second is blocked');
  });
  expect(titles()).not.toContain('first is blocked');
});

describe('a long run', () => {
  beforeEach(() => {
    settings.longRunMinutes = 1;
  });

  test('is notified when it finishes', async () => {
    const run = await engine.start('name: long\nsteps:\n  - sleep 0.3\n');
    await engine.untilRun(run, ({ status }) => status === 'running');
    engine.clock.jumpTo(engine.clock.now() + 90_000);
    await engine.end(run);
    await settle();
    expect(titles()).toEqual(['long finished']);
    expect(shown[0]?.body).toMatch(/1m 3/);
  });

  test('is not notified when it was stopped', async () => {
    const run = await engine.start('name: long\nsteps:\n  - sleep 600\n');
    await engine.untilRun(run, ({ steps }) => steps[0]?.status === 'running');
    engine.clock.jumpTo(engine.clock.now() + 90_000);
    await engine.host.api.call('runs.stop', run, testCaller);
    await engine.end(run);
    await settle();
    expect(titles()).toEqual([]);
  });
});

test.each([
  ['the kind is off', () => (settings.failure = false)],
  ['the workflow turns it off', () => (settings.workflows = { etl: 'none' })],
  ['it is quiet time', () => Object.assign(settings, { quiet: true, quietFrom: '11:00', quietTo: '13:00' })],
  [
    'it is quiet time in the zone of the UI',
    () =>
      Object.assign(settings, { quiet: true, quietFrom: '20:00', quietTo: '22:00', viewZone: 'Asia/Tokyo' }),
  ],
])('nothing is notified when %s', async (_why, choose) => {
  choose();
  await engine.run(failing('etl'));
  await settle();
  expect(shown).toEqual([]);
});

test('a workflow may enable failures only', async () => {
  settings.workflows = { etl: 'failures' };
  await engine.run(failing('etl'));
  await engine.run(working('etl'));
  await settle();
  expect(titles()).toEqual(['etl failed']);
});

const asking = (name: string): string =>
  `name: ${name}\nsteps:\n  - { name: go on, type: approval, config: { question: Release it? } }\n`;

describe('an approval', () => {
  test('is notified with its prompt, and links to its step', async () => {
    const run = await engine.start(asking('ship'));
    await until(() => {
      engine.clock.advance(2000);
      return shown.length > 0;
    });
    expect(shown).toEqual([
      {
        title: 'ship needs your approval',
        body: 'Release it?',
        address: `#/runs/ship/${run.dagRunId}?step=go+on`,
        tone: 'info',
      },
    ]);
    await engine.host.api.call('runs.stop', run, testCaller);
    await engine.end(run);
  });

  test('is not notified when answered immediately, or when its kind is off', async () => {
    const run = await engine.start(asking('ship'));
    const { steps } = await engine.untilRun(run, ({ steps: [step] }) => step?.approval !== undefined);
    await engine.host.api.call(
      'approvals.answer',
      { id: steps[0]!.approval!.id, decision: 'approved' },
      testCaller,
    );
    await engine.end(run);
    settings.approval = false;
    const silent = await engine.start(asking('silent'));
    await engine.untilRun(silent, ({ steps: [step] }) => step?.approval !== undefined);
    await settle();
    expect(shown).toEqual([]);
    await engine.host.api.call('runs.stop', silent, testCaller);
    await engine.end(silent);
  });
});
