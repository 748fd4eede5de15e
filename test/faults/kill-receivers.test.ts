import { describe, expect, it } from 'vitest';
import type { ReceivedDeliveryView, ReceiverView } from '../../core/contract/receivers.ts';
import { deliveryHeaders, encodeBody } from '../../core/webhooks/outbound/build-request.ts';
import { receiverPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { casesForPoints, close, serve, serveUntil, waitFor } from './rig/kill.ts';

const server = ['start-all', '--port', '0'];
const secret = 'a secret of the test';
const listening =
  'maxActiveRuns: 5\non: {webhook: {event: push}}\nsteps:\n  - { name: a, command: EFFECT }\n  - { name: b, command: EFFECT }\n';

const urlOf = (host: Host): string => /http:\/\/\S+/.exec(host.stdout())![0];
const endedRuns = async (home: FaultTestHome): Promise<number> =>
  (await home.query('SELECT 1 FROM run WHERE finished_at IS NOT NULL')).length;

async function createReceiver(host: Host): Promise<ReceiverView> {
  const reply = await fetch(`${urlOf(host)}/api/v2/webhooks/receivers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'test', scheme: 'platform', secrets: [secret] }),
  });
  return (await reply.json()) as ReceiverView;
}

/** The status of the response; undefined if there was none. */
async function send(host: Host, { path }: ReceiverView): Promise<number | undefined> {
  const body = encodeBody(JSON.stringify({ ref: 'refs/heads/main' }), 'json');
  const facts = { hookId: 1, event: 'push', guid: 'the-one', targetType: 'repository', targetId: 1, secret };
  const { 'Content-Length': _, ...headers } = deliveryHeaders(facts, body);
  try {
    const reply = await fetch(urlOf(host) + path, {
      method: 'POST',
      headers,
      body: new Uint8Array(body.bytes),
    });
    return reply.status;
  } catch {
    return undefined;
  }
}

async function listDeliveries(host: Host, { id }: ReceiverView): Promise<ReceivedDeliveryView[]> {
  const reply = await fetch(`${urlOf(host)}/api/v2/webhooks/receivers/${id}/deliveries`);
  return ((await reply.json()) as { deliveries: ReceivedDeliveryView[] }).deliveries;
}

describe.concurrent('a webhook receiver', () => {
  it.each(casesForPoints(receiverPoints))(
    'starts the run of a webhook once when its host is killed: %s',
    async (_title, moment, point) => {
      await withFaultTestHome(async (home) => {
        home.save('listening', listening);
        const first = await serveUntil(home, moment, server);
        const receiver = await createReceiver(first);
        await send(first, receiver);
        expect((await first.ended).signal).toBe('SIGKILL');
        const second = await serve(home, server);
        expect(await send(second, receiver)).toBe(202);
        await waitFor('the end of the run', async () => (await endedRuns(home)) === 1);
        const deliveries = await listDeliveries(second, receiver);
        await close(second);
        await checkHome(home);
        expect(await home.query('SELECT 1 FROM run')).toHaveLength(1);
        expect(home.ranBySteps()).toEqual({ a: 1, b: 1 });
        const came = deliveries.map(({ status }) => status);
        expect([['accepted'], ['duplicate', 'accepted']]).toContainEqual(came);
        if (moment.afterMs === 0) expect(came).toHaveLength(point === 'webhook.before_keep' ? 1 : 2);
        expect(deliveries.at(-1)!.decisions).toMatchObject([{ workflow: 'listening', outcome: 'started' }]);
      });
    },
  );

  it('starts an accepted webhook even without redelivery', async () => {
    await withFaultTestHome(async (home) => {
      home.save('listening', listening);
      const first = await serve(home, server, 'webhook.kept:kill');
      await send(first, await createReceiver(first));
      expect((await first.ended).signal).toBe('SIGKILL');
      const second = await serve(home, server);
      await waitFor('the end of the run', async () => (await endedRuns(home)) === 1);
      await close(second);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1, b: 1 });
    });
  });
});
