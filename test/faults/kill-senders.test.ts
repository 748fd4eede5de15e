import { describe, expect, it } from 'vitest';
import { WebhookTarget } from '../core/webhooks/webhook-harness.ts';
import { senderPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { casesForPoints, close, serve, serveUntil, waitFor } from './rig/kill.ts';

const server = ['start-all', '--port', '0'];
const hooks = 3;

const urlOf = (host: Host): string => /http:\/\/\S+/.exec(host.stdout())![0];

/** Whether the host has responded. */
async function post(host: Host, path: string, body: unknown): Promise<boolean> {
  try {
    const reply = await fetch(`${urlOf(host)}/api/v2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await reply.text()).not.toContain('"code"');
    return reply.ok;
  } catch {
    return false;
  }
}

const emit = (host: Host): Promise<boolean> =>
  post(host, '/webhooks/events', { event: 'star', payload: { action: 'created', starred_at: null } });

const openMessages = async (home: FaultTestHome): Promise<number> =>
  (await home.query("SELECT 1 FROM webhook_message WHERE state <> 'delivered'")).length +
  (await home.query('SELECT 1 FROM webhook_event WHERE is_new = 1')).length;

describe('the host that delivers webhooks', () => {
  it.each(casesForPoints(senderPoints))(
    'loses nothing and repeats no recorded delivery when it is killed: %s',
    async (_title, moment, point) => {
      const receiver = await WebhookTarget.open();
      await withFaultTestHome(async (home) => {
        const first = await serve(home, server);
        for (let index = 0; index < hooks; index += 1)
          await post(first, '/webhooks/hooks', {
            url: `${receiver.url}/${index}`,
            events: ['star'],
            options: { allowPrivate: true },
          });
        await waitFor('the pings', async () => (await openMessages(home)) === 0);
        await close(first);
        receiver.received.length = 0;
        const second = await serveUntil(home, moment, server);
        if (second.stdout().includes('\n')) await emit(second);
        expect((await second.ended).signal).toBe('SIGKILL');
        const third = await serve(home, server);
        if ((await home.query("SELECT 1 FROM webhook_event WHERE event = 'star'")).length === 0)
          await emit(third);
        await waitFor('the deliveries', async () => (await openMessages(home)) === 0);
        await close(third);
        await checkHome(home);
        const counts = Array.from(
          { length: hooks },
          (_, index) => receiver.received.filter(({ path }) => path === `/${index}`).length,
        );
        // A delivery whose response was not recorded is repeated: the guarantee is at least once.
        const max = point === 'webhook.answered' || moment.afterMs > 0 ? 2 : 1;
        for (const count of counts) {
          expect(count).toBeGreaterThanOrEqual(1);
          expect(count).toBeLessThanOrEqual(max);
        }
        expect(new Set(receiver.received.map(({ headers }) => headers['x-platform-delivery'])).size).toBe(1);
        expect(await home.query("SELECT 1 FROM webhook_message WHERE state = 'delivered'")).toHaveLength(
          2 * hooks,
        );
      });
    },
  );
});
