import { afterEach, expect, it } from 'vitest';
import { trackActivities, type Activity } from '../../../../core/base/activity.ts';
import { openReceiverHarness } from '../../webhooks/webhook-harness.ts';
import { QueueHarness } from '../dispatch-harness.ts';

afterEach(() => trackActivities(undefined));

/** Makes the process die twice during some activities; returns those that were reported. */
function recordDeaths(isFatal: (activity: Activity) => boolean): Activity[] {
  const reported: Activity[] = [];
  trackActivities({
    run: (_, work) => work(),
    countCrashes: (activity) => (isFatal(activity) ? 2 : 0),
    reportQuarantined: (activity) => void reported.push(activity),
    forgetCrashes: () => {},
  });
  return reported;
}

it('a queued run during which the engine died twice fails, and the next one starts', async () => {
  const reported = recordDeaths((activity) => activity.kind === 'run' && activity.dagRunId === 'a');
  const harness = new QueueHarness();
  await harness.enqueue('a');
  const next = await harness.enqueue('b');
  harness.go('b');
  harness.engine.host.processQueues();
  expect(await harness.engine.end(next)).toMatchObject({ status: 'succeeded' });
  expect(await harness.get('a')).toMatchObject({
    status: 'failed',
    error: 'Skipped: the engine process crashed twice while working on this run.',
  });
  expect(harness.startedRuns).toEqual(['b']);
  expect(reported).toEqual([{ kind: 'run', dag: 'job', dagRunId: 'a' }]);
});

it('a delivery during which the engine died twice starts nothing, and the next one does', async () => {
  let fatalKey: number | undefined;
  const reported = recordDeaths(
    (activity) =>
      activity.kind === 'delivery' && activity.receivedKey === (fatalKey ??= activity.receivedKey),
  );
  const harness = await openReceiverHarness();
  harness.write('build', 'on: {webhook: {}}\nsteps: ["true"]\n');
  const receiver = await harness.create();
  await harness.send(receiver, { number: 1 });
  await harness.settled(receiver);
  await harness.send(receiver, { number: 2 });
  await harness.settled(receiver);
  const [second, first] = await harness.deliveries(receiver);
  expect(first?.decisions).toMatchObject([
    {
      outcome: 'refused',
      reason: 'Skipped: the engine process crashed twice while working on this delivery.',
    },
  ]);
  expect(second?.decisions).toMatchObject([{ outcome: 'started' }]);
  expect(reported).toEqual([{ kind: 'delivery', receivedKey: fatalKey }]);
});
