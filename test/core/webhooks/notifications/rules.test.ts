import { expect, it } from 'vitest';
import { NotificationHarness } from './notification-harness.ts';

it('tells a channel of a failed run, once', async () => {
  const harness = await NotificationHarness.open();
  await harness.createChannel();
  await harness.createRule();
  await harness.run('etl', 'fails');
  await harness.untilQuiet();
  await harness.run('etl', 'succeeds');
  await harness.untilQuiet();
  await harness.run('etl', 'succeeds');
  await harness.untilQuiet();
  expect(harness.texts).toEqual(['etl failed', 'etl recovered']);
  const [recovered, failed] = await harness.list();
  expect(failed).toMatchObject({
    channel: 'ops-slack',
    state: 'delivered',
    event: 'failed',
    workflow: 'etl',
    rule: 'failures',
    lastAttempt: { status: 'OK', statusCode: 204 },
  });
  expect(failed!.text).toContain('load');
  expect(recovered).toMatchObject({ event: 'recovered', text: 'The run succeeded after a failed run.' });
});
