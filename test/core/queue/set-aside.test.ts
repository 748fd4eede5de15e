import { afterEach, expect, it } from 'vitest';
import { trackActivities, type Activity } from '../../../core/base/activity.ts';
import { openReceiverHouse } from '../http/receiver/receiver-house.ts';
import { QueueHouse } from './queue-house.ts';

afterEach(() => trackActivities(undefined));

/** Has the process have died twice during some activities; returns those that were reported. */
function recordDeaths(isFatal: (activity: Activity) => boolean): Activity[] {
  const reported: Activity[] = [];
  trackActivities({
    run: (_, work) => work(),
    countDeaths: (activity) => (isFatal(activity) ? 2 : 0),
    reportSetAside: (activity) => void reported.push(activity),
    forgetDeaths: () => {},
  });
  return reported;
}

it('a queued run during which the engine died twice fails, and the next one starts', async () => {
  const reported = recordDeaths((activity) => activity.kind === 'run' && activity.dagRunId === 'a');
  const house = new QueueHouse();
  await house.enqueue('a');
  const next = await house.enqueue('b');
  house.go('b');
  house.engine.host.processQueues();
  expect(await house.engine.end(next)).toMatchObject({ status: 'succeeded' });
  expect(await house.get('a')).toMatchObject({
    status: 'failed',
    error: 'Skipped: the engine process crashed twice while working on this run.',
  });
  expect(house.begun).toEqual(['b']);
  expect(reported).toEqual([{ kind: 'run', dag: 'job', dagRunId: 'a' }]);
});

it('a delivery during which the engine died twice starts nothing, and the next one does', async () => {
  let fatalKey: number | undefined;
  const reported = recordDeaths(
    (activity) =>
      activity.kind === 'delivery' && activity.receivedKey === (fatalKey ??= activity.receivedKey),
  );
  const house = await openReceiverHouse();
  house.write('build', 'on: {webhook: {}}\nsteps: ["true"]\n');
  const receiver = await house.create();
  await house.send(receiver, { number: 1 });
  await house.settled(receiver);
  await house.send(receiver, { number: 2 });
  await house.settled(receiver);
  const [second, first] = await house.deliveries(receiver);
  expect(first?.decisions).toMatchObject([
    {
      outcome: 'refused',
      reason: 'Skipped: the engine process crashed twice while working on this delivery.',
    },
  ]);
  expect(second?.decisions).toMatchObject([{ outcome: 'started' }]);
  expect(reported).toEqual([{ kind: 'delivery', receivedKey: fatalKey }]);
});
