import { expect, it } from 'vitest';
import type { NotificationContent } from '../../../../core/index.ts';
import { TestEngine } from '../../../harness/engine.ts';
import { NotificationHarness } from './notification-harness.ts';

it('retries a failed delivery and sends it again on request', async () => {
  const harness = await NotificationHarness.open((response, _request, count) =>
    response.writeHead(count === 1 ? 500 : 200).end('ok'),
  );
  await harness.createChannel();
  await harness.createRule();
  await harness.run('etl', 'fails');
  await harness.untilQuiet();
  expect(await harness.list()).toMatchObject([
    { state: 'waiting', attempts: 1, lastAttempt: { statusCode: 500 } },
  ]);
  const [waiting] = await harness.list();
  await expect(harness.engine.call('notifications.resend', { messageId: waiting!.id })).rejects.toMatchObject(
    { code: 'conflict' },
  );
  await harness.pass(10_000);
  expect(await harness.list()).toMatchObject([
    { state: 'delivered', attempts: 2, lastAttempt: { body: 'ok' } },
  ]);
  await harness.engine.call('notifications.resend', { messageId: waiting!.id });
  await harness.untilQuiet();
  expect((await harness.list()).map(({ redelivery, state }) => [redelivery, state])).toEqual([
    [true, 'delivered'],
    [false, 'delivered'],
  ]);
  expect(harness.texts).toEqual(['etl failed', 'etl failed', 'etl failed']);
});

it('is decided once by several hosts of a home', async () => {
  const harness = await NotificationHarness.open();
  const { home, clock } = harness.engine;
  const others = [new TestEngine({ home, clock }), new TestEngine({ home, clock })];
  for (const { host } of others) await host.sendWebhooks();
  await harness.createChannel();
  await harness.createRule();
  for (const name of ['a', 'b', 'c']) await harness.run(name, 'fails');
  await harness.pass(60_000);
  expect(harness.texts.toSorted()).toEqual(['a failed', 'b failed', 'c failed']);
});

it('does not report what happened before the channel was created', async () => {
  const harness = await NotificationHarness.open();
  await harness.run('etl', 'fails');
  await harness.createChannel();
  await harness.createRule();
  await harness.untilQuiet();
  expect(await harness.list()).toEqual([]);
});

it('stores nothing without channels', async () => {
  const harness = await NotificationHarness.open();
  await harness.run('etl', 'fails');
  await harness.createChannel();
  await harness.untilQuiet();
  expect(harness.service.received).toEqual([]);
});

it('shows messages of the desktop channel on the host with a desktop', async () => {
  const shown: NotificationContent[] = [];
  const harness = await NotificationHarness.open();
  const { home, clock } = harness.engine;
  const { id } = await harness.engine.call('channels.create', { name: 'desk', kind: 'desktop' });
  await expect(harness.engine.call('channels.test', { channelId: id })).rejects.toThrow('no desktop');
  await harness.createRule({ channels: ['desk'] });
  await harness.run('etl', 'fails');
  await harness.until(async () => (await harness.list()).length === 1);
  expect(await harness.list()).toMatchObject([{ state: 'waiting' }]);
  const desktop = new TestEngine({ home, clock, showNotice: (content) => shown.push(content) });
  await desktop.host.sendWebhooks();
  await harness.untilQuiet();
  expect(shown).toMatchObject([{ title: 'etl failed', workflow: 'etl' }]);
  expect(await harness.list()).toMatchObject([{ state: 'delivered', lastAttempt: { status: 'OK' } }]);
});

it('covers a workflow by rules, notify and mailOn', async () => {
  const harness = await NotificationHarness.open();
  harness.writeWorkflow('plain', 'steps: [echo]\n');
  harness.writeWorkflow('own', 'notify: { failed: ops-slack }\nsteps: [echo]\n');
  harness.writeWorkflow('mailed', 'mailOn: { failure: true }\nsteps: [echo]\n');
  const cover = (name: string) => harness.engine.call('notifications.coverage', { name });
  expect(await cover('own')).toEqual({ rules: [], mail: false });
  await harness.createChannel();
  expect(await cover('own')).toEqual({
    rules: [{ name: 'notify of own', channels: ['ops-slack'] }],
    mail: false,
  });
  expect(await cover('plain')).toEqual({ rules: [], mail: false });
  expect(await cover('mailed')).toEqual({ rules: [], mail: true });
  await harness.createRule({ events: ['recovered'] });
  expect((await cover('plain')).rules).toEqual([]);
  await harness.createRule({ name: 'all' });
  expect((await cover('plain')).rules).toEqual([{ name: 'all', channels: ['ops-slack'] }]);
});
