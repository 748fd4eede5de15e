import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HostHeartbeat, ServiceLeases } from '../../../../core/run/hosts.ts';
import { getCurrentProcess } from '../../../../core/process/process-table.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { WebhookSender } from '../../../../core/webhooks/outbound/sender.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeDatabasePath } from '../../store/store-harness.ts';
import { noNotifications } from '../webhook-harness.ts';

const logger = { info() {}, warn() {}, error: (message: string) => expect.unreachable(message) };

/** Both are of this machine, so that nothing leaves it; the sender treats only the second one as private. */
const [outside, inside] = ['127.0.0.1', '127.0.0.2'] as const;

/** Receivers at both addresses and one port; the first has configurable responses. */
async function openReceivers(answers: number[]) {
  const came: string[] = [];
  const listen = async (address: string, port: number): Promise<number> => {
    const server = createServer((request, response) => {
      came.push(address);
      request.resume().on('end', () => {
        response.writeHead(answers.shift() ?? 204, { connection: 'close' }).end();
      });
    });
    server.listen(port, address);
    await once(server, 'listening');
    onTestFinished(() => server.close().closeAllConnections());
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(outside, 0);
  await listen(inside, port);
  return { came, port };
}

/** A sender for which each name lookup returns the next of these lists of addresses. */
function openSender(meanings: (readonly string[])[]) {
  const clock = new FakeClock();
  const store = openStore({ file: makeDatabasePath() });
  const owner = { ...getCurrentProcess(clock.now()), id: 'a', kind: 'server' as const };
  const host = new HostHeartbeat(owner, store, clock, logger);
  const sender = new WebhookSender({
    store: store.webhooks,
    dataVersion: () => store.dataVersion(),
    commitRevision: () => store.commitRevision(),
    leases: new ServiceLeases(store, clock, host),
    clock,
    logger,
    random: () => 0.5,
    retentionMs: 7 * 86_400_000,
    notifications: noNotifications(store),
    addresses: {
      resolve: (_name, _options, done) =>
        done(
          null,
          (meanings.shift() ?? [inside]).map((address) => ({ address, family: 4 })),
        ),
      isPrivate: (address) => address === inside,
    },
  });
  onTestFinished(async () => {
    await sender.close();
    store.close();
  });
  return { clock, store, sender };
}

// A Mac has only one loopback address.
if (process.platform !== 'darwin')
  test('looks up and checks a name at each attempt, and connects to the checked address', async () => {
    const { came, port } = await openReceivers([500, 500, 204]);
    const meanings = [[outside], [inside], [outside, inside], [outside], [outside]];
    const { clock, store, sender } = openSender(meanings);
    const webhook = await store.webhooks.createWebhook(
      {
        kind: 'repository',
        owner: 'octo/hello',
        targetId: 1,
        url: `http://hooks.test:${port}/`,
        format: 'json',
        secrets: [],
        verifyTls: true,
        active: true,
        events: ['push'],
        options: { waits: [60, 60, 60, 60], jitter: 0 },
      },
      clock.now(),
    );
    const payload = { ref: 'refs/heads/main' };
    const scope = { repository: 'octo/hello' };
    await store.webhooks.addEvents([{ guid: 'one', event: 'push', payload, scope }], clock.now());
    await sender.start();
    const tried = async () =>
      (await store.webhooks.listDeliveries({ hookId: webhook.id, limit: 10 })).toReversed();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      while ((await tried()).length < attempt) {
        clock.advance(25);
        await new Promise((resolve) => setImmediate(resolve));
      }
      clock.jumpTo(clock.now() + 60_000);
    }
    const refused = expect.stringMatching(
      /^hooks\.test \(127\.0\.0\.2\) is a loopback or private network address\. Allow private addresses for this webhook if intended\./,
    ) as string;
    expect((await tried()).map(({ status, statusCode }) => statusCode ?? status)).toEqual([
      500,
      refused,
      refused,
      500,
      204,
    ]);
    // Each attempt has asked once, and nothing has reached the forbidden address.
    expect(meanings).toEqual([]);
    expect(came).toEqual([outside, outside, outside]);
  });
