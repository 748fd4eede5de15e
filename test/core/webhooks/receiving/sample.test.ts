import { expect, it } from 'vitest';
import { signSlack } from '../../../../core/webhooks/receiving/service-signatures.ts';
import { openReceiverHarness } from '../webhook-harness.ts';

const workflow = 'on:\n  webhook: { receiver: github }\nsteps: [echo hello]\n';

it.each([
  ['platform', 'secret', 'push'],
  ['standard', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'invoice.paid'],
  ['bearer', 'token', 'sample'],
  ['slack', 'signing', 'app_mention'],
  ['stripe', 'whsec_abc', 'payment_intent.succeeded'],
  ['gitlab', 'token', 'push'],
  ['microsoft', 'state', 'created'],
  ['basic', 'user:password', 'sample'],
  ['header', 'X-Our-Key: value', 'sample'],
] as const)('signs and sends a sample as a sender with the scheme %s', async (scheme, secret, event) => {
  const harness = await openReceiverHarness();
  harness.write('listener', workflow);
  const { id: receiverId, isServed } = await harness.create({ scheme, secrets: [secret] });
  expect(isServed).toBe(true);
  const sent = await harness.api.call('receivers.sendSample', { receiverId }, harness.caller);
  expect(sent).toMatchObject({ status: 202, event, delivery: { verified: true, event } });
  expect(sent.delivery?.runs).toMatchObject([{ name: 'listener' }]);
  const { headers } = await harness.api.call(
    'receivers.delivery',
    { receiverId, id: sent.delivery!.id },
    harness.caller,
  );
  if (!['slack', 'stripe', 'standard', 'platform', 'microsoft'].includes(scheme))
    expect(Object.values(headers)).toContain('********');
});

it('sends a payload of the user, and returns the error of a disabled receiver', async () => {
  const harness = await openReceiverHarness();
  const { id: receiverId } = await harness.create({ active: false });
  const input = { receiverId, event: 'issues', payload: { action: 'opened' } };
  const sent = await harness.api.call('receivers.sendSample', input, harness.caller);
  expect(sent).toMatchObject({ status: 403, body: expect.stringContaining('inactive') });
  expect(sent.delivery).toBeUndefined();
});

it('reads the form of a Slack slash command', async () => {
  const harness = await openReceiverHarness();
  const receiver = await harness.create({ scheme: 'slack', secrets: ['signing'] });
  const body = 'command=%2Fdeploy&text=main';
  const timestamp = String(Math.floor(harness.engine.clock.now() / 1000));
  const reply = await harness.post(receiver.path, body, {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': signSlack(Buffer.from(body), timestamp, 'signing'),
  });
  expect(reply.status).toBe(202);
  expect((await harness.deliveries(receiver))[0]).toMatchObject({ event: '/deploy' });
});

it('sends the sample with GET if the receiver does not allow POST', async () => {
  const harness = await openReceiverHarness();
  harness.write(
    'listener',
    'on:\n  webhook: { receiver: github, params: { WHO: $.who } }\nsteps: [echo hello]\n',
  );
  const { id: receiverId } = await harness.create({ scheme: 'bearer', secrets: ['token'], methods: ['GET'] });
  const input = { receiverId, payload: { who: 'ann b' } };
  const sent = await harness.api.call('receivers.sendSample', input, harness.caller);
  expect(sent).toMatchObject({ status: 202, delivery: { method: 'GET', verified: true } });
  expect(sent.url).toMatch(/\?who=ann\+b$/);
  expect(sent.delivery?.runs).toMatchObject([{ name: 'listener' }]);
});
