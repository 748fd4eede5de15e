import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestEngine } from '../../../harness/engine.ts';
import { NotificationHarness } from './notification-harness.ts';

const hourMs = 3_600_000;

async function open(rule: Parameters<NotificationHarness['createRule']>[0] = {}) {
  const harness = await NotificationHarness.open();
  await harness.createChannel();
  await harness.createRule(rule);
  return harness;
}

describe('a rule', () => {
  it('notifies about a failed run and the recovery, once', async () => {
    const harness = await open();
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    await harness.run('etl', 'succeeds');
    await harness.untilQuiet();
    await harness.run('etl', 'succeeds');
    await harness.untilQuiet();
    expect(harness.texts).toEqual(['etl failed', 'etl recovered']);
    const [recovered, failed] = await harness.list();
    expect(failed).toMatchObject({
      channel: 'ops-slack',
      state: 'delivered',
      event: 'failed',
      workflow: 'etl',
      rule: 'failures',
      lastAttempt: { status: 'OK', statusCode: 204 },
    });
    expect(failed!.text).toContain('load');
    expect(recovered).toMatchObject({ event: 'recovered', text: 'The run succeeded after a failed run.' });
  });

  it('waits for failures in a row, and reports the recovery only then', async () => {
    const harness = await open({ after: 2 });
    await harness.run('etl', 'fails');
    await harness.run('etl', 'succeeds');
    await harness.untilQuiet();
    expect(harness.texts).toEqual([]);
    for (let count = 0; count < 3; count += 1) await harness.run('etl', 'fails');
    await harness.run('etl', 'succeeds');
    await harness.untilQuiet();
    expect(harness.texts).toEqual([
      'etl failed (2 times in a row)',
      'etl failed (3 times in a row)',
      'etl recovered',
    ]);
  });

  it('reports only the first failure in a row with once', async () => {
    const harness = await open({ once: true });
    for (let count = 0; count < 3; count += 1) await harness.run('etl', 'fails');
    await harness.untilQuiet();
    expect(harness.texts).toEqual(['etl failed']);
  });

  it('selects workflows by name, tag, group and folder', async () => {
    const harness = await open({
      workflows: { names: ['report-*'], tags: ['nightly'], groups: ['finance'], folders: ['sales'] },
      events: ['failed'],
    });
    mkdirSync(path.join(harness.engine.home, 'dags/sales/north'), { recursive: true });
    harness.writeWorkflow('orders', 'steps: ["exit 3"]\n', 'sales/north');
    await harness.run('report-daily', 'fails');
    await harness.run('tagged', 'fails', 'tags: [nightly]');
    await harness.run('grouped', 'fails', 'group: finance');
    await harness.run('other', 'fails', 'tags: [daily]\ngroup: sales');
    const { dagRunId, name } = await harness.engine.call('dags.start', { fileName: 'orders' });
    await harness.engine.end({ dagRunId, name });
    await harness.untilQuiet();
    expect(harness.texts).toEqual([
      'report-daily failed',
      'tagged failed',
      'grouped failed',
      'orders failed',
    ]);
  });

  it('reports a request for approval and other events of the engine', async () => {
    const harness = await open({ events: ['waiting', 'late', 'long', 'missing'] });
    const run = await harness.engine.start(
      'name: release\nsteps:\n  - name: ask\n    type: approval\n    config: { question: Deploy? }\n',
    );
    await harness.engine.untilRun(run, ({ steps }) => steps[0]!.status === 'running');
    await harness.untilQuiet();
    expect(harness.texts).toEqual(['release waits for approval']);
    await harness.engine.call('runs.stop', run);
    await harness.engine.end(run);
  });

  it('reports pings by the name and the tags of their check', async () => {
    const harness = await open({
      events: ['failed', 'recovered', 'missing'],
      workflows: { tags: ['backup'] },
    });
    await harness.engine.call('pings.create', {
      name: 'nas',
      periodSec: 3600,
      graceSec: 60,
      tags: ['Backup'],
    });
    await harness.engine.call('pings.create', { name: 'other', periodSec: 3600 });
    const { pings, clock } = { pings: harness.engine.host.pings, clock: harness.engine.clock };
    const ping = async (name: string, kind: 'success' | 'fail') =>
      pings.record((await pings.findCheck(name))!.id, { kind, at: clock.now() });
    await ping('nas', 'fail');
    await ping('other', 'fail');
    await ping('nas', 'success');
    await harness.untilQuiet();
    expect(harness.texts).toEqual(['nas failed', 'nas recovered']);
  });

  it('does not notify while it is off, nor about stopped runs', async () => {
    const harness = await open({ enabled: false });
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    expect(await harness.list()).toEqual([]);
  });

  it('sends a message of two rules for one channel once', async () => {
    const harness = await open({ digestSec: 3600 });
    await harness.createRule({ name: 'more' });
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    await harness.pass(2 * hourMs);
    expect((await harness.list()).map(({ rule }) => rule)).toEqual(['more']);
  });
});

describe('delayed messages', () => {
  it('are collected and sent as one, also by another host after a restart', async () => {
    const first = await open({ digestSec: 3600, events: ['failed'] });
    await first.run('etl', 'fails');
    await first.run('sales', 'fails');
    await first.untilQuiet();
    expect(first.texts).toEqual([]);
    await first.engine.host.pauseServices();
    const { home, clock } = first.engine;
    const second = new TestEngine({ home, clock });
    await second.host.sendWebhooks();
    await first.pass(2 * hourMs);
    expect(first.texts).toEqual(['2 notifications: 2 failed']);
    const [digest] = await first.list();
    expect(digest).toMatchObject({ event: 'digest', workflow: 'etl, sales', state: 'delivered' });
    expect(digest!.text).toContain('etl failed: ');
  });

  it('wait for the end of the quiet hours', async () => {
    const harness = await NotificationHarness.open();
    await harness.createChannel();
    const { clock } = harness.engine;
    const hour = new Date(clock.now()).getUTCHours();
    const two = (number: number): string => String(number % 24).padStart(2, '0');
    await harness.createRule({ quiet: `${two(hour)}:00-${two(hour + 2)}:00 UTC` });
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    await harness.pass(hourMs / 2);
    expect(harness.texts).toEqual([]);
    await harness.pass(2 * hourMs);
    expect(harness.texts).toEqual(['etl failed']);
  });
});

describe('notify of a workflow', () => {
  it('names the channels of its events', async () => {
    const harness = await NotificationHarness.open();
    await harness.createChannel();
    await harness.run('etl', 'fails', 'notify: { failed: ops-slack, after: 1 }');
    await harness.run('etl', 'succeeds', 'notify: { failed: ops-slack }');
    await harness.run('sales', 'fails', 'notify: [ops-slack]');
    await harness.run('sales', 'succeeds', 'notify: [ops-slack]');
    await harness.untilQuiet();
    expect(harness.texts).toEqual(['etl failed', 'sales failed', 'sales recovered']);
    expect((await harness.list()).at(-1)!.rule).toBe('notify of etl');
  });

  it('comes from the base configuration unless the workflow has its own', async () => {
    const harness = await NotificationHarness.open();
    await harness.createChannel();
    writeFileSync(path.join(harness.engine.home, 'base.yaml'), 'notify: { failed: ops-slack }\n');
    await harness.run('etl', 'fails');
    await harness.run('quiet', 'fails', 'notify: []');
    await harness.untilQuiet();
    expect(harness.texts).toEqual(['etl failed']);
  });

  it('logs a channel that does not exist', async () => {
    const harness = await NotificationHarness.open();
    await harness.createChannel();
    await harness.run('etl', 'fails', 'notify: [ops-slak]');
    await harness.untilQuiet();
    expect(harness.engine.reports).toEqual([
      'Notification not sent: rule "notify of etl" names the channel "ops-slak", which does not exist. Create it under Notifications, or change the rule.',
    ]);
    expect(await harness.list()).toEqual([]);
  });
});
