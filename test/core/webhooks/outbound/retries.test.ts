import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeEngineHome } from '../../../harness/empty-database.ts';
import { TestEngine } from '../../../harness/engine.ts';
import { WebhookTarget, SendingHarness } from '../webhook-harness.ts';

const star = { event: 'star', payload: { action: 'created', starred_at: null } } as const;

/** A harness with a webhook that receives only stars. */
async function openStarHarness(
  answer?: Parameters<typeof WebhookTarget.open>[0],
  options: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
  config = '',
) {
  const receiver = await WebhookTarget.open((response, request, count) => {
    if (request.headers['x-platform-event'] !== 'star') return void response.writeHead(204).end();
    if (answer === undefined) return void response.writeHead(204).end();
    answer(response, request, count - 1);
  });
  const home = makeEngineHome();
  writeFileSync(path.join(home, 'config.yaml'), config);
  const harness = await SendingHarness.open(new TestEngine({ home }));
  const webhook = await harness.create({
    url: `${receiver.url}/hook`,
    events: ['star'],
    ...more,
    options: { jitter: 0, ...options },
  });
  await harness.untilQuiet();
  const stars = (): typeof receiver.received =>
    receiver.received.filter(({ headers }) => headers['x-platform-event'] === 'star');
  return { harness, hook: webhook, receiver, stars };
}

describe('failed delivery', () => {
  it('is retried after the delays of its webhook, with the same GUID and body, until it succeeds', async () => {
    const {
      harness,
      hook: webhook,
      stars,
    } = await openStarHarness((response, _, count) => void response.writeHead(count < 3 ? 500 : 200).end(), {
      waits: [5, 60],
    });
    const { guid } = await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect(stars()).toHaveLength(1);
    await harness.pass(5_000);
    expect(stars()).toHaveLength(2);
    await harness.pass(50_000);
    expect(stars()).toHaveLength(2);
    await harness.pass(15_000);
    expect(stars()).toHaveLength(3);
    expect(new Set(stars().map(({ headers }) => headers['x-platform-delivery']))).toEqual(new Set([guid]));
    expect(new Set(stars().map(({ body }) => body)).size).toBe(1);
    // A successful delivery is never sent again.
    await harness.pass(86_400_000);
    expect(stars()).toHaveLength(3);
    const { deliveries } = await harness.engine.call('webhooks.deliveries', { hookId: webhook.id });
    expect(deliveries.map(({ statusCode }) => statusCode)).toEqual([200, 500, 500, 204]);
  });

  it('is abandoned after the last delay, and is a dead letter that can be redelivered', async () => {
    let isUp = false;
    const {
      harness,
      hook: webhook,
      stars,
    } = await openStarHarness((response) => void response.writeHead(isUp ? 200 : 503).end(), { waits: [1] });
    const { guid } = await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    await harness.pass(10_000);
    const { messages } = await harness.engine.call('webhooks.messages', { hookId: webhook.id });
    expect(messages).toMatchObject([
      {
        guid,
        state: 'dead',
        attempts: 2,
        reason: 'Delivery failed after 2 attempts: invalid HTTP response: 503 Service Unavailable.',
      },
    ]);
    isUp = true;
    await harness.engine.call('webhooks.retryMessage', { messageId: messages[0]!.id });
    await harness.untilQuiet();
    expect(stars()).toHaveLength(3);
    const [newest] = (await harness.engine.call('webhooks.deliveries', { hookId: webhook.id })).deliveries;
    expect(newest).toMatchObject({ guid, redelivery: true, delivered: true });
  });

  it('is attempted once if its webhook is configured so, as at GitHub', async () => {
    const {
      harness,
      hook: webhook,
      stars,
    } = await openStarHarness((response) => void response.writeHead(500).end(), {
      waits: [],
    });
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    await harness.pass(86_400_000);
    expect(stars()).toHaveLength(1);
    expect((await harness.engine.call('webhooks.get', { hookId: webhook.id })).messages).toMatchObject({
      dead: 1,
    });
  });

  it('waits as long as Retry-After says', async () => {
    const { harness, stars } = await openStarHarness(
      (response, _, count) =>
        void response.writeHead(count === 1 ? 503 : 200, { 'Retry-After': '600' }).end(),
      { waits: [5] },
    );
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    await harness.pass(590_000);
    expect(stars()).toHaveLength(1);
    await harness.pass(20_000);
    expect(stars()).toHaveLength(2);
  });

  it('disables its webhook after five days of failures, reports it, and a success would have prevented it', async () => {
    const { harness, hook: webhook } = await openStarHarness(
      (response) => void response.writeHead(500).end(),
      {
        waits: [],
      },
    );
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    await harness.pass(4 * 86_400_000);
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect(await harness.engine.call('webhooks.get', { hookId: webhook.id })).toMatchObject({
      active: true,
      failingSince: expect.any(String) as string,
    });
    await harness.pass(86_400_000);
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    const off = await harness.engine.call('webhooks.get', { hookId: webhook.id });
    expect(off).toMatchObject({ active: false, lastResponse: { code: 500, status: 'failed' } });
    expect(off.disabledReason).toMatch(/^All deliveries since \S+ have failed\. Last error: .*500/);
    expect(harness.engine.reports.join()).toContain(
      `Webhook ${webhook.id} was disabled: ${off.disabledReason}`,
    );
    const on = await harness.engine.call('webhooks.update', { hookId: webhook.id, active: true });
    expect(on).not.toHaveProperty('disabledReason');
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect((await harness.engine.call('webhooks.get', { hookId: webhook.id })).active).toBe(true);
  });

  it('disables its webhook at once when the receiver responds with 410 Gone', async () => {
    const { harness, hook: webhook } = await openStarHarness(
      (response) => void response.writeHead(410).end(),
    );
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect(await harness.engine.call('webhooks.get', { hookId: webhook.id })).toMatchObject({
      active: false,
      disabledReason: expect.stringMatching(/^The receiver at http\S+ responded with 410 Gone\.$/) as string,
    });
  });
});

describe('receiver that', () => {
  it.each([
    ['does not respond', 'timed out', () => {}],
    ['redirects', '302 Found', (response) => void response.writeHead(302, { Location: '/x' }).end()],
    ['is overloaded', '503 Service Unavailable', (response) => void response.writeHead(503).end()],
    [
      'breaks off',
      'connection closed by the receiver',
      (response) =>
        void response.writeHead(200, { 'Content-Length': '9' }).write('x', () => response.destroy()),
    ],
  ] as [string, string, (response: ServerResponse) => void][])(
    '%s gets the event when it has recovered',
    async (_, status, fail) => {
      const {
        harness,
        hook: webhook,
        stars,
      } = await openStarHarness(
        (response, _request, count) => (count === 1 ? fail(response) : void response.writeHead(200).end()),
        { timeoutSec: 1, waits: [100] },
      );
      await harness.engine.call('webhooks.emit', star);
      await harness.untilQuiet();
      const [failed] = (await harness.engine.call('webhooks.deliveries', { hookId: webhook.id })).deliveries;
      expect(failed).toMatchObject({ delivered: false, status: expect.stringContaining(status) as string });
      await harness.pass(100_000);
      expect(stars()).toHaveLength(2);
      expect((await harness.engine.call('webhooks.get', { hookId: webhook.id })).messages).toMatchObject({
        delivered: 2,
      });
    },
  );

  it('responds without end has received the event; the beginning is stored', async () => {
    const { harness, hook: webhook } = await openStarHarness((response) => {
      response.writeHead(200);
      response.write('x'.repeat(100_000));
    });
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    const [{ id } = { id: 0 }] = (await harness.engine.call('webhooks.deliveries', { hookId: webhook.id }))
      .deliveries;
    const shown = await harness.engine.call('webhooks.delivery', { hookId: webhook.id, deliveryId: id });
    expect(shown).toMatchObject({ delivered: true, response: { cut: true, body: 'x'.repeat(20_000) } });
  });
});

describe('one webhook', () => {
  it('that is ordered sends one after the other; a failure blocks the rest', async () => {
    const { harness, stars } = await openStarHarness(
      (response, _, count) => void response.writeHead(count === 1 ? 500 : 200).end(),
      { ordered: true, waits: [30] },
    );
    for (let place = 1; place <= 3; place += 1)
      await harness.engine.call('webhooks.emit', { ...star, payload: { ...star.payload, place } });
    await harness.advance(2_000);
    expect(stars()).toHaveLength(1);
    await harness.pass(30_000);
    expect(stars().map(({ body }) => (JSON.parse(body) as { place: number }).place)).toEqual([1, 1, 2, 3]);
  });

  it('limits its concurrent attempts', async () => {
    const open: (() => void)[] = [];
    const { harness, stars } = await openStarHarness(
      (response) => void open.push(() => response.writeHead(200).end()),
      { concurrency: 2, timeoutSec: 60 },
    );
    for (let count = 0; count < 5; count += 1) await harness.engine.call('webhooks.emit', star);
    await harness.until(() => open.length === 2);
    await harness.advance(2_000);
    expect(stars()).toHaveLength(2);
    for (let answered = 0; answered < 5; answered += 1) {
      await harness.until(() => open.length > 0);
      open.shift()!();
    }
    await harness.untilQuiet();
    expect(stars()).toHaveLength(5);
  });

  it('limits its attempts per second', async () => {
    const { harness, stars } = await openStarHarness(undefined, { perSecond: 1 });
    for (let count = 0; count < 10; count += 1) await harness.engine.call('webhooks.emit', star);
    await harness.advance(4_000);
    expect(stars().length).toBeGreaterThanOrEqual(3);
    expect(stars().length).toBeLessThanOrEqual(6);
    await harness.until(() => stars().length === 10);
  });

  it('that is down does not block others', async () => {
    const { harness, stars } = await openStarHarness();
    const stuck = await WebhookTarget.open(() => {});
    for (let index = 0; index < 3; index += 1)
      await harness.create({ url: `${stuck.url}/${index}`, events: ['star'] });
    await harness.engine.call('webhooks.emit', star);
    await harness.until(() => stuck.received.length > 0);
    await harness.until(() => stars().length > 0);
    // None of the stuck ones has been answered yet.
    expect(stars()).toHaveLength(1);
  });
});

describe('secrets', () => {
  it('rotate: the new one signs first, then the old one while it is valid', async () => {
    const { createHmac } = await import('node:crypto');
    const known = { secret: 'old' };
    const {
      harness,
      hook: webhook,
      stars,
    } = await openStarHarness(
      (response, { headers, body }) => {
        const expected = `sha256=${createHmac('sha256', known.secret).update(body).digest('hex')}`;
        response.writeHead(headers['x-hub-signature-256'] === expected ? 200 : 401).end();
      },
      { waits: [] },
      { secret: 'old' },
    );
    const rotated = await harness.engine.call('webhooks.rotateSecret', {
      hookId: webhook.id,
      secret: 'new',
      overlapHours: 1,
    });
    expect(rotated.formerSecretUntil).toBeDefined();
    expect(JSON.stringify(rotated)).not.toMatch(/"(old|new)"/);
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect(stars()).toHaveLength(2);
    expect((await harness.engine.call('webhooks.get', { hookId: webhook.id })).messages).toMatchObject({
      delivered: 2,
    });
    known.secret = 'new';
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect(stars()).toHaveLength(3);
    await harness.pass(3_700_000);
    known.secret = 'old';
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    expect(stars()).toHaveLength(4);
    expect((await harness.engine.call('webhooks.get', { hookId: webhook.id })).messages).toMatchObject({
      dead: 1,
    });
  });
});

describe('redelivery', () => {
  it('sends what was never delivered since a time, or everything', async () => {
    let isUp = false;
    const {
      harness,
      hook: webhook,
      stars,
    } = await openStarHarness((response) => void response.writeHead(isUp ? 200 : 500).end(), {
      waits: [],
    });
    const since = new Date(harness.engine.clock.now()).toISOString();
    for (let count = 0; count < 3; count += 1) await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    isUp = true;
    expect(await harness.engine.call('webhooks.replay', { hookId: webhook.id, since })).toEqual({
      replayed: 3,
    });
    await harness.untilQuiet();
    expect(stars()).toHaveLength(6);
    expect(await harness.engine.call('webhooks.replay', { hookId: webhook.id, since })).toEqual({
      replayed: 0,
    });
    expect(await harness.engine.call('webhooks.replay', { hookId: webhook.id, since, only: 'all' })).toEqual({
      replayed: 3,
    });
  });
});

describe('sent deliveries', () => {
  it('are retained for as long as configured', async () => {
    const { harness, hook: webhook } = await openStarHarness(
      undefined,
      {},
      {},
      'webhooks: {retentionDays: 2}\n',
    );
    await harness.engine.call('webhooks.emit', star);
    await harness.untilQuiet();
    await harness.pass(1.5 * 86_400_000);
    harness.engine.clock.advance(61_000);
    await harness.untilQuiet();
    expect(
      (await harness.engine.call('webhooks.deliveries', { hookId: webhook.id })).deliveries,
    ).toHaveLength(2);
    await harness.pass(0.6 * 86_400_000);
    harness.engine.clock.advance(61_000);
    await harness.untilQuiet();
    expect((await harness.engine.call('webhooks.deliveries', { hookId: webhook.id })).deliveries).toEqual([]);
    expect((await harness.engine.call('webhooks.get', { hookId: webhook.id })).messages).toEqual({});
  });
});
