import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../../core/webhooks/signature.ts';
import { openReceiverHarness, secret } from '../webhooks/webhook-harness.ts';

const payload = { ref: 'refs/heads/main', commits: [] };

describe('receiver', () => {
  it('has a URL, and never reveals its secrets', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create({ name: 'github', secrets: ['a-secret', 'another'] });
    expect(receiver).toMatchObject({
      name: 'github',
      url: `${harness.served.server.url}/webhooks/${receiver.id}`,
      scheme: 'platform',
      secrets: [{}, {}],
      active: true,
    });
    expect(JSON.stringify(receiver)).not.toContain('a-secret');
    await expect(harness.create({ name: 'github' })).rejects.toMatchObject({ code: 'already_exists' });
  });

  it('accepts a signed delivery with 202 once it is stored', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create();
    const { status, body } = await harness.send(receiver, payload, { guid: 'one', hookId: 42 });
    expect({ status, body }).toEqual({ status: 202, body: { id: '1', runs: [] } });
    expect(await harness.deliveries(receiver)).toMatchObject([
      {
        id: '1',
        verified: true,
        proof: 'sha256',
        status: 'accepted',
        event: 'push',
        deliveryId: 'one',
        hookId: '42',
        runs: [],
        decisions: [],
      },
    ]);
  });

  it('accepts a form, whose signature covers the encoded body', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create();
    expect(await harness.send(receiver, { zen: 'a*b & c' }, { format: 'form' })).toMatchObject({
      status: 202,
    });
    const { body } = await harness.api.call(
      'receivers.delivery',
      { receiverId: receiver.id, id: '1' },
      harness.caller,
    );
    expect(body).toBe('payload=%7B%22zen%22%3A%22a%2Ab+%26+c%22%7D');
  });

  it('rejects an unverified delivery, and stores the reason', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create();
    const { status } = await harness.send(receiver, payload, { secret: 'wrong' });
    expect(status).toBe(401);
    expect(await harness.post(receiver.path, '{}', { 'content-type': 'application/json' })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    expect(await harness.deliveries(receiver)).toMatchObject([
      {
        verified: false,
        status: 'refused',
        reason: expect.stringContaining(
          'Missing X-Hub-Signature-256 header: the sender has no secret, or a proxy removed the header.',
        ),
      },
      {
        verified: false,
        status: 'refused',
        reason: expect.stringContaining(
          'The signature does not match: the secret is different, or the body was modified.',
        ),
      },
    ]);
  });

  it('accepts SHA-1 only if configured', async () => {
    const harness = await openReceiverHarness();
    const body = Buffer.from('{}');
    const { 'X-Hub-Signature': sha1 } = signBody(body, secret);
    const headers = { 'content-type': 'application/json', 'x-hub-signature': sha1 };
    const strict = await harness.create();
    const loose = await harness.create({ name: 'old', allowSha1: true });
    expect((await harness.post(strict.path, body, headers)).status).toBe(401);
    expect((await harness.post(loose.path, body, headers)).status).toBe(202);
  });

  it('accepts Standard Webhooks within five minutes', async () => {
    const harness = await openReceiverHarness();
    const key = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
    const receiver = await harness.create({ scheme: 'standard', secrets: [key] });
    const body = Buffer.from('{"type":"invoice.paid"}');
    const timestamp = Math.floor(harness.engine.clock.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': new Webhook(key).sign('msg_1', new Date(timestamp * 1000), String(body)),
    };
    expect((await harness.post(receiver.path, body, headers)).status).toBe(202);
    expect((await harness.deliveries(receiver))[0]).toMatchObject({
      event: 'invoice.paid',
      deliveryId: 'msg_1',
    });
    harness.engine.clock.advance(301_000);
    expect((await harness.post(receiver.path, body, headers)).status).toBe(401);
  });

  it('accepts a bearer token without storing it', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create({ scheme: 'bearer', secrets: ['tok_1234567890'] });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer tok_1234567890' };
    expect((await harness.post(receiver.path, '{"type":"x"}', headers)).status).toBe(202);
    const delivery = await harness.api.call(
      'receivers.delivery',
      { receiverId: receiver.id, id: '1' },
      harness.caller,
    );
    expect(delivery.headers['authorization']).toBe('********');
    expect(delivery.event).toBe('x');
  });

  it.each([
    ['text/plain', 'x', 415],
    ['image/png', 'x', 415],
    ['application/json; charset=latin1', '{}', 415],
    ['application/json', '[1]', 400],
    ['application/json', '', 400],
    ['application/json', '{"a":', 400],
    ['application/json', Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['application/json', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 400],
    ['application/x-www-form-urlencoded', 'a=1', 400],
    ['application/cloudevents+json', '{}', 202],
  ])('responds to a verified body of type "%s" by its content (%#)', async (type, text, status) => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create();
    const body = Buffer.from(text);
    const { 'X-Hub-Signature-256': signature } = signBody(body, secret);
    const reply = await harness.post(receiver.path, body, {
      'content-type': type,
      'x-hub-signature-256': signature,
    });
    expect(reply.status).toBe(status);
    expect(await harness.deliveries(receiver)).toMatchObject([{ verified: true }]);
  });

  it('rejects a body over its limit before reading it', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create({ maxBodyBytes: 100 });
    expect((await harness.send(receiver, { text: 'x'.repeat(200) })).status).toBe(413);
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(50)),
    });
    const reply = await harness.served
      .fetch(receiver.path, { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
      .catch(() => undefined);
    expect([undefined, 413]).toContain(reply?.status);
    expect(await harness.deliveries(receiver)).toEqual([]);
  });

  it('allows the configured methods; the payload of GET is the query', async () => {
    const harness = await openReceiverHarness();
    harness.write(
      'on-get',
      'on:\n  webhook: { event: built, params: { TAGS: $.tag } }\nsteps: [echo hello]\n',
    );
    const receiver = await harness.create({
      scheme: 'basic',
      secrets: ['ci:secret'],
      methods: ['GET', 'PUT'],
    });
    const headers = { authorization: `Basic ${Buffer.from('ci:secret').toString('base64')}` };
    const send = (method: string, query = '', body?: string) =>
      harness.served.fetch(receiver.path + query, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body }),
      });
    const reply = await send('GET', '?type=built&tag=a&tag=b%20c&__proto__=x');
    expect([reply.status, await reply.json()]).toMatchObject([202, { runs: [{ name: 'on-get' }] }]);
    expect((await send('PUT', '', '{"type":"built"}')).status).toBe(202);
    expect((await harness.deliveries(receiver)).map(({ method }) => method)).toEqual(['PUT', 'GET']);
    const address = { receiverId: receiver.id, id: '1' };
    const { body } = await harness.api.call('receivers.delivery', address, harness.caller);
    expect(body).toBe('{"type":"built","tag":["a","b c"],"__proto__":"x"}');
    const replayed = await harness.api.call('receivers.replay', address, harness.caller);
    expect(replayed).toMatchObject({ method: 'GET', replayOf: '1', runs: [{ name: 'on-get' }] });
    for (const method of ['POST', 'PATCH', 'HEAD', 'DELETE', 'OPTIONS']) {
      const rejected = await send(method);
      expect([method, rejected.status, rejected.headers.get('allow')]).toEqual([method, 405, 'GET, PUT']);
    }
  });

  it('does not allow GET with a scheme that verifies the body', async () => {
    const harness = await openReceiverHarness();
    const rejected = { code: 'bad_request', details: { field: 'methods' } };
    await expect(harness.create({ methods: ['GET'] })).rejects.toMatchObject(rejected);
    const { id: receiverId } = await harness.create({ methods: ['PATCH', 'POST'] });
    await expect(
      harness.api.call('receivers.update', { receiverId, methods: ['GET'] }, harness.caller),
    ).rejects.toMatchObject(rejected);
  });

  it('is invisible to other users, and while it is disabled', async () => {
    const harness = await openReceiverHarness();
    expect((await harness.post('/webhooks/nobody', '{}', {})).status).toBe(404);
    const receiver = await harness.create({ active: false });
    expect((await harness.send(receiver, payload)).status).toBe(403);
    await harness.api.call('receivers.update', { receiverId: receiver.id, active: true }, harness.caller);
    expect((await harness.send(receiver, payload)).status).toBe(202);
    await harness.api.call('receivers.delete', { receiverId: receiver.id }, harness.caller);
    expect((await harness.send(receiver, payload)).status).toBe(404);
  });

  it('accepts a delivery id once per webhook, for the configured time', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create({ dedupeSec: 60 });
    await harness.send(receiver, payload, { guid: 'same', hookId: 1 });
    const again = await harness.send(receiver, payload, { guid: 'same', hookId: 1 });
    expect(again).toEqual({ status: 202, body: { id: '2', duplicateOf: '1', runs: [] } });
    expect(await harness.send(receiver, payload, { guid: 'same', hookId: 2 })).toMatchObject({
      body: { id: '3', runs: [] },
    });
    harness.engine.clock.advance(61_000);
    const later = await harness.send(receiver, payload, { guid: 'same', hookId: 1 });
    expect(later.body).toEqual({ id: '4', runs: [] });
    expect((await harness.deliveries(receiver)).map(({ duplicateOf }) => duplicateOf)).toEqual([
      undefined,
      undefined,
      '1',
      undefined,
    ]);
  });

  it('accepts an old secret until its rotation ends', async () => {
    const harness = await openReceiverHarness();
    const receiver = await harness.create();
    await harness.api.call(
      'receivers.rotate',
      { receiverId: receiver.id, secret: 'new', overlapSec: 60 },
      harness.caller,
    );
    expect((await harness.send(receiver, payload)).status).toBe(202);
    expect((await harness.send(receiver, payload, { secret: 'new' })).status).toBe(202);
    harness.engine.clock.advance(61_000);
    expect((await harness.send(receiver, payload)).status).toBe(401);
    expect((await harness.send(receiver, payload, { secret: 'new' })).status).toBe(202);
  });
});
