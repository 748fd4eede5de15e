import { request } from 'node:http';
import { Webhooks } from '@octokit/webhooks';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { serveWithAuth } from '../../harness/server.ts';
import { openReceiverHarness, secret } from '../webhooks/webhook-harness.ts';

const sign = (body: string): Promise<string> => new Webhooks({ secret }).sign(body);

/** Sends a request under any host name, as a tunnel does. */
function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode!);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

it('accepts signatures of the reference library, with the header names of its service', async () => {
  const harness = await openReceiverHarness();
  const receiver = await harness.create();
  const body = JSON.stringify({ action: 'opened', title: 'ünïcode 🎉' });
  const { status } = await harness.post(receiver.path, body, {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-github-hook-id': '292430182',
    'x-hub-signature-256': await sign(body),
  });
  expect(status).toBe(202);
  expect((await harness.deliveries(receiver))[0]).toMatchObject({
    verified: true,
    event: 'issues',
    action: 'opened',
    deliveryId: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    hookId: '292430182',
  });
});

it('accepts signatures of the Standard Webhooks library, with any of its secrets', async () => {
  const harness = await openReceiverHarness();
  const keys = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
  const receiver = await harness.create({ scheme: 'standard', secrets: keys });
  const body = JSON.stringify({ type: 'invoice.paid' });
  const now = new Date(harness.engine.clock.now());
  for (const [index, key] of keys.entries()) {
    const { status } = await harness.post(receiver.path, body, {
      'content-type': 'application/json',
      'webhook-id': `msg_${index}`,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(`msg_${index}`, now, body),
    });
    expect(status).toBe(202);
  }
  expect((await harness.deliveries(receiver)).map(({ proof }) => proof)).toEqual(['standard', 'standard']);
});

it('requires neither credentials nor a known host name from senders, and both from managers of receivers', async () => {
  await using server = await serveWithAuth();
  const options = { name: 'github', scheme: 'platform', secrets: [secret] };
  expect((await server.ask('POST /webhooks/receivers', { body: options })).status).toBe(401);
  const { token: viewer } = await server.enter('vera', 'viewer');
  expect((await server.ask('POST /webhooks/receivers', { body: options, as: viewer })).status).toBe(403);
  const { token } = await server.enter('max', 'manager');
  const { body: receiver } = await server.ask('POST /webhooks/receivers', { body: options, as: token });
  const { path, id } = receiver as { readonly path: string; readonly id: string };
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': await sign('{}'),
    host: 'hooks.example.com',
    origin: 'https://example.com',
  };
  expect(await post(server.url + path, '{}', headers)).toBe(202);
  expect(await post(`${server.url}/api/v2/webhooks/receivers`, '{}', headers)).toBe(403);
  const deliveries = `GET /webhooks/receivers/${id}/deliveries`;
  expect((await server.ask(deliveries)).status).toBe(401);
  expect((await server.ask(deliveries, { as: viewer })).status).toBe(200);
  expect((await server.ask(`${deliveries}/1`, { as: viewer })).status).toBe(403);
  expect(
    (await server.ask(`POST /webhooks/receivers/${id}/deliveries/1/replay`, { as: viewer })).status,
  ).toBe(403);
});
