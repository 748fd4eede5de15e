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

const logger = { info() {}, warn() {}, error: (message: string) => expect.unreachable(message) };

/** The sender of one host, and the store of another one on the same home. */
function openSender() {
  const clock = new FakeClock();
  const file = makeDatabasePath();
  const [store, elsewhere] = [openStore({ file }), openStore({ file })];
  const owner = { ...getCurrentProcess(clock.now()), id: 'a', kind: 'server' as const };
  const host = new HostHeartbeat(owner, store, clock, logger);
  const sender = new WebhookSender({
    store: store.webhooks,
    dataVersion: () => store.dataVersion(),
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
  return { clock, store, elsewhere, sender };
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

test('a home without webhooks has no lease and no writer, and is polled every two seconds', () => {
  const { clock, store, elsewhere, sender } = openSender();
  sender.start();
  const looks = vi.spyOn(store.webhooks, 'webhookVersion');
  const versionElsewhere = elsewhere.dataVersion();
  clock.advance(60_000);
  expect(looks.mock.calls.length).toBeLessThanOrEqual(60);
  expect(elsewhere.dataVersion()).toBe(versionElsewhere);
  expect(sender.isActive).toBe(false);
  expect(store.findService(senderService)).toMatchObject({ epoch: 0 });
});

test('the first webhook, on any host, acquires the lease, and the last one releases it', () => {
  const { clock, store, elsewhere, sender } = openSender();
  sender.start();
  clock.advance(10_000);
  const { id } = elsewhere.webhooks.createWebhook(settings, clock.now());
  clock.advance(2000);
  expect(sender.isActive).toBe(true);
  const looks = vi.spyOn(store.webhooks, 'listNewEvents');
  clock.advance(5000);
  expect(looks).toHaveBeenCalledTimes(10);
  elsewhere.webhooks.deleteWebhook(id, clock.now());
  clock.advance(500);
  expect(sender.isActive).toBe(false);
  expect(store.findService(senderService).untilAt).toBeLessThanOrEqual(clock.now());
});

test('a webhook that this host creates is seen at once, and polled as often as any from then on', async () => {
  const { clock, store, sender } = openSender();
  sender.start();
  clock.advance(10_000);
  store.webhooks.createWebhook(settings, clock.now());
  sender.wake();
  await until(() => sender.isActive);
  const looks = vi.spyOn(store.webhooks, 'listNewEvents');
  clock.advance(1000);
  expect(looks).toHaveBeenCalledTimes(2);
});
