import { describe, expect, it } from 'vitest';
import { WebhookTarget } from '../core/webhooks/webhook-harness.ts';
import { notificationPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { begin, casesForPoints, close, serve, serveUntil, waitFor } from './rig/kill.ts';

const server = ['start-all', '--port', '0'];
const workflows = ['first', 'second'];

async function post(host: Host, address: string, body: unknown): Promise<void> {
  const url = /http:\/\/\S+/.exec(host.stdout())![0];
  const reply = await fetch(`${url}/api/v2${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await reply.text()).not.toContain('"code"');
}

/** One channel that is notified at once, and one that gets a digest. */
async function setUp(home: FaultTestHome, service: WebhookTarget): Promise<void> {
  const host = await serve(home, server);
  for (const name of ['now', 'digest'])
    await post(host, '/notifications/channels', {
      name,
      kind: 'url',
      url: `${service.url}/${name}`,
      template: '{"title":"${title}","text":"${text}"}',
      allowPrivate: true,
    });
  await post(host, '/notifications/rules', { name: 'now', channels: ['now'] });
  await post(host, '/notifications/rules', { name: 'digest', channels: ['digest'], digestSec: 1 });
  await close(host);
}

const countOpen = async (home: FaultTestHome): Promise<number> =>
  (await home.query('SELECT 1 FROM notification_event WHERE is_new = 1')).length +
  (await home.query('SELECT 1 FROM notification_held')).length +
  (await home.query('SELECT 1 FROM webhook_event WHERE is_new = 1')).length +
  (await home.query("SELECT 1 FROM webhook_message WHERE state <> 'delivered'")).length;

describe('the host that sends notifications', () => {
  it.each(casesForPoints(notificationPoints))(
    'loses nothing and decides nothing twice when it is killed: %s',
    async (_title, moment, point) => {
      const service = await WebhookTarget.open();
      await withFaultTestHome(async (home) => {
        await setUp(home, service);
        for (const name of workflows) {
          home.save(name, 'steps: ["EFFECT; exit 3"]\n');
          expect((await home.run(begin(name))).code).toBe(1);
        }
        expect(await countOpen(home)).toBe(workflows.length);
        const second = await serveUntil(home, moment, server);
        const ended = await second.ended;
        if (moment.afterMs === 0) expect(ended.signal).toBe('SIGKILL');
        const third = await serve(home, server);
        await waitFor('the deliveries', async () => (await countOpen(home)) === 0);
        await close(third);
        await checkHome(home);
        const count = (text: string): number =>
          service.received.filter(({ body }) => body.includes(text)).length;
        // A delivery whose response was not recorded is repeated: the guarantee is at least once.
        const max = point === 'webhook.answered' || moment.afterMs > 0 ? 2 : 1;
        for (const text of ['"first failed"', '"second failed"', '"2 notifications: 2 failed"']) {
          expect(count(text)).toBeGreaterThanOrEqual(1);
          expect(count(text)).toBeLessThanOrEqual(max);
        }
        // Whatever was repeated, was decided once.
        expect(await home.query("SELECT 1 FROM webhook_message WHERE state = 'delivered'")).toHaveLength(3);
      });
    },
  );
});
