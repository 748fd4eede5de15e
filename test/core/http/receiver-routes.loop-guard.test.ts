import { expect, it } from 'vitest';
import { until } from '../../harness/resources.ts';
import { openReceiverHarness, secret } from '../webhooks/webhook-harness.ts';

it('a workflow that starts itself through its own webhooks stops after three runs', async () => {
  const harness = await openReceiverHarness();
  const { engine, api, caller } = harness;
  harness.write(
    'loop',
    'maxActiveRuns: -1\non: {webhook: {event: workflow_run, actions: completed}}\nsteps: ["true"]\n',
  );
  const receiver = await harness.create();
  await api.call(
    'webhooks.create',
    {
      url: receiver.url,
      secret,
      events: ['workflow_run'],
      options: { allowPrivate: true },
    },
    caller,
  );
  await engine.host.sendWebhooks();
  await engine.host.startRun({ source: { fileName: 'loop' }, trigger: 'manual' });
  let last: string | undefined;
  const look = async (): Promise<void> => {
    while (last === undefined) {
      const reasons = (await harness.deliveries(receiver)).flatMap(({ decisions }) =>
        decisions.flatMap(({ reason = '' }) => (reason.includes('longer than 3') ? [reason] : [])),
      );
      last = reasons[0];
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all([
    look(),
    until(() => {
      engine.clock.advance(50);
      return last !== undefined;
    }),
  ]);
  const { dagRuns } = await api.call('runs.list', {}, caller);
  expect(dagRuns.map(({ trigger }) => trigger)).toEqual(['webhook', 'webhook', 'webhook', 'manual']);
});
