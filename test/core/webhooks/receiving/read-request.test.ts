import { expect, it } from 'vitest';
import { signSlack } from '../../../../core/webhooks/receiving/service-signatures.ts';
import { openReceiverHarness } from '../webhook-harness.ts';

const workflow = 'on:\n  webhook: { receiver: github }\nsteps: [echo hello]\n';

it('answers the URL verification of Slack and starts nothing', async () => {
  const harness = await openReceiverHarness();
  harness.write('listener', workflow);
  const receiver = await harness.create({ scheme: 'slack', secrets: ['signing'] });
  const body = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' });
  const timestamp = String(Math.floor(harness.engine.clock.now() / 1000));
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': signSlack(Buffer.from(body), timestamp, 'signing'),
  };
  const reply = await harness.post(receiver.path, body, headers);
  expect(reply).toEqual({ status: 200, body: { challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' } });
  const [delivery] = await harness.deliveries(receiver);
  expect(delivery).toMatchObject({ event: 'url_verification', runs: [] });
  const forged = await harness.post(receiver.path, body, { ...headers, 'x-slack-signature': 'v0=0' });
  expect(forged.status).toBe(401);
});

it('answers the verification of Meta with the ID of the receiver as its token', async () => {
  const harness = await openReceiverHarness();
  const receiver = await harness.create();
  const ask = (token: string, mode = 'subscribe') =>
    harness.served.fetch(
      `${receiver.path}?hub.mode=${mode}&hub.challenge=11%3Cb%3E&hub.verify_token=${token}`,
    );
  const reply = await ask(receiver.id);
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
    200,
    expect.stringMatching(/^text\/plain/),
    '11<b>',
  ]);
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await harness.deliveries(receiver)).toEqual([]);
  expect((await ask('guessed')).status).toBe(401);
  expect((await ask(receiver.id, 'denied')).status).toBe(401);
  expect(await harness.deliveries(receiver)).toMatchObject([
    { method: 'GET', verified: false, reason: 'hub.mode must be subscribe.' },
    { method: 'GET', verified: false, reason: expect.stringContaining('Enter the last part of the URL') },
  ]);
});

it('answers the validation of Microsoft Graph, and verifies the client state of its notifications', async () => {
  const harness = await openReceiverHarness();
  harness.write('listener', workflow);
  const receiver = await harness.create({ scheme: 'microsoft', secrets: ['our state'] });
  const token = 'Validation: Testing client application reachability';
  const reply = await harness.served.fetch(`${receiver.path}?validationToken=${encodeURIComponent(token)}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
  });
  expect([reply.status, await reply.text()]).toEqual([200, token]);
  const send = (...states: unknown[]) => {
    const value = states.map((clientState) => ({ clientState, changeType: 'updated' }));
    return harness.post(receiver.path, JSON.stringify({ value }), { 'content-type': 'application/json' });
  };
  for (const states of [[], ['our state', 'other'], ['our state', undefined], [7]])
    expect((await send(...states)).status).toBe(401);
  expect((await send('our state', 'our state')).body.runs).toHaveLength(1);
  expect((await harness.deliveries(receiver))[0]).toMatchObject({ event: 'updated', proof: 'microsoft' });
});

it('answers the verification of Okta with the configured header, and starts nothing', async () => {
  const harness = await openReceiverHarness();
  harness.write('listener', workflow);
  const receiver = await harness.create({ scheme: 'header', secrets: ['Authorization: shared'] });
  const ask = (authorization: string) =>
    harness.served.fetch(receiver.path, {
      headers: { authorization, 'x-okta-verification-challenge': 'Me_rShK8' },
    });
  const reply = await ask('shared');
  expect([reply.status, await reply.json()]).toEqual([200, { verification: 'Me_rShK8' }]);
  expect((await ask('other')).status).toBe(401);
  expect((await harness.deliveries(receiver)).map(({ runs }) => runs)).toEqual([[], []]);
  // Other requests with GET are not allowed.
  const other = await harness.served.fetch(receiver.path, { headers: { authorization: 'shared' } });
  expect(other.status).toBe(405);
});

it('permits deliveries of CloudEvents senders, as Azure Event Grid asks for', async () => {
  const harness = await openReceiverHarness();
  const receiver = await harness.create({ scheme: 'bearer', secrets: ['token'] });
  const reply = await harness.served.fetch(receiver.path, {
    method: 'OPTIONS',
    headers: { 'webhook-request-origin': 'eventgrid.azure.net' },
  });
  expect(reply.status).toBe(200);
  const names = ['allow', 'webhook-allowed-origin', 'webhook-allowed-rate'];
  expect(names.map((name) => reply.headers.get(name))).toEqual(['POST', 'eventgrid.azure.net', '*']);
});
