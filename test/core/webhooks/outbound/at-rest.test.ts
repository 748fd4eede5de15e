import { expect, onTestFinished, test, vi } from 'vitest';
import { HostHeartbeat, ServiceLeases } from '../../../../core/run/hosts.ts';
import { getCurrentProcess } from '../../../../core/process/process-table.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import type { WebhookSettings } from '../../../../core/store/types/webhooks.ts';
import { senderService, WebhookSender } from '../../../../core/webhooks/outbound/sender.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeDatabasePath } from '../../store/store-harness.ts';
import { noNotifications } from '../webhook-harness.ts';
import { until } from '../../../harness/resources.ts';

const stepMs = 250;

const logger = { info() {}, warn() {}, error: (message: string) => expect.unreachable(message) };

/** The sender of one host, and the store of another one on the same home. */
function openSender() {
  const clock = new FakeClock();
  const file = makeDatabasePath();
  const [store, elsewhere] = [openStore({ file }), openStore({ file })];
  const owner = { ...getCurrentProcess(clock.now()), id: 'a', kind: 'server' as const };
  const host = new HostHeartbeat(owner, store, clock, logger);
  const poll = vi.fn<() => string>(() => store.commitRevision());
  const sender = new WebhookSender({
    store: store.webhooks,
    dataVersion: () => store.dataVersion(),
    commitRevision: poll,
    leases: new ServiceLeases(store, clock, host),
    clock,
    logger,
    random: () => 0,
    retentionMs: 7 * 86_400_000,
    notifications: noNotifications(store),
  });
  onTestFinished(async () => {
    await sender.close();
    store.close();
    elsewhere.close();
  });
  /** Lets time pass, and each pass of the sender end. */
  const pass = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += stepMs) {
      clock.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { clock, store, elsewhere, sender, poll, pass };
}

const settings: WebhookSettings = {
  kind: 'repository',
  owner: 'local/stepwright',
  targetId: 1,
  url: 'http://127.0.0.1:9/',
  format: 'json',
  secrets: [],
  verifyTls: true,
  active: true,
  events: ['push'],
  options: {},
};

test('a home without webhooks has no lease and no writer, and is polled every two seconds', async () => {
  const { store, elsewhere, sender, poll, pass } = openSender();
  await sender.start();
  const reads = vi.spyOn(store.webhooks, 'webhookVersion');
  poll.mockClear();
  const versionElsewhere = elsewhere.dataVersion();
  await pass(60_000);
  expect(poll.mock.calls.length).toBeLessThanOrEqual(30);
  expect(reads).not.toHaveBeenCalled();
  expect(elsewhere.dataVersion()).toBe(versionElsewhere);
  expect(sender.isActive).toBe(false);
  expect(await store.findService(senderService)).toMatchObject({ epoch: 0 });
});

test('the first webhook, on any host, acquires the lease, and the last one releases it', async () => {
  const { clock, store, elsewhere, sender, poll, pass } = openSender();
  await sender.start();
  await pass(10_000);
  const { id } = await elsewhere.webhooks.createWebhook(settings, clock.now());
  await pass(2000);
  expect(sender.isActive).toBe(true);
  await pass(1000);
  poll.mockClear();
  const reads = vi.spyOn(store.webhooks, 'listNewEvents');
  await pass(1000);
  expect(poll).toHaveBeenCalledTimes(2);
  expect(reads).not.toHaveBeenCalled();
  await elsewhere.webhooks.deleteWebhook(id, clock.now());
  await pass(500);
  expect(sender.isActive).toBe(false);
  expect((await store.findService(senderService)).untilAt).toBeLessThanOrEqual(clock.now());
});

test('a webhook that this host creates is seen at once, and polled as often as any from then on', async () => {
  const { clock, store, sender, poll, pass } = openSender();
  await sender.start();
  await pass(10_000);
  await store.webhooks.createWebhook(settings, clock.now());
  sender.wake();
  await until(() => sender.isActive);
  poll.mockClear();
  await pass(1000);
  expect(poll).toHaveBeenCalledTimes(2);
});

test('an event that is stored during a pass, after its webhook, is sent to it', async () => {
  const { clock, store, sender } = openSender();
  await store.webhooks.createWebhook(settings, clock.now());
  await sender.start();
  const { webhooks } = store;
  const list = webhooks.listNewEvents;
  let hookId: number | undefined;
  vi.spyOn(webhooks, 'listNewEvents').mockImplementationOnce(async (limit) => {
    hookId = (await webhooks.createWebhook({ ...settings, active: false }, clock.now())).id;
    const event = { guid: 'ping', event: 'ping', payload: {}, scope: { hookId } };
    await webhooks.addEvents([event], clock.now());
    return list(limit);
  });
  await webhooks.addEvents([{ guid: 'any', event: 'star', payload: {}, scope: {} }], clock.now());
  sender.wake();
  await until(() => hookId !== undefined);
  await sender.close();
  expect(await webhooks.listMessages({ hookId, states: ['waiting'], limit: 9 })).toHaveLength(1);
});
