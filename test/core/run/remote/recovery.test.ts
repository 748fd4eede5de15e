import { describe, expect, test } from 'vitest';
import { ManualWorker } from '../../../harness/cluster.ts';
import { RecoveryScenario, waitFor } from '../run-harness.ts';
import { getStep } from '../../../harness/engine.ts';

const remote = 'workerSelector: { gpu: "true" }';

const chain = (relay: RecoveryScenario, work: string, more = ''): string => `
name: chain
workingDir: ${relay.folder}
steps:
  - { name: work, command: "${work}", output: WORK, ${remote} ${more} }
  - { name: after, command: 'echo "$WORK" >> order' }
`;

/** A host with a worker, whose step `work` waits on that worker when the host is lost. */
async function loseHostDuringStep(work: string, more?: string) {
  const relay = new RecoveryScenario();
  const worker = new ManualWorker({ home: relay.engine.home, clock: relay.clock });
  await worker.work();
  await relay.start(chain(relay, work, more));
  await relay.waitForStart('work');
  await relay.untilRun((view) => getStep(view, 'work').attempts[0]?.worker !== undefined);
  await relay.onLeaseLost();
  return { relay, worker };
}

describe('step on a worker when the host of its run is lost', () => {
  test('is awaited by the next host, and run once', async () => {
    const { relay, worker } = await loseHostDuringStep(`${waitFor('work')}; echo b`);
    expect(await relay.recoverRuns()).toEqual(['chain']);
    await relay.engine.settle();
    relay.go('work');
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'succeeded', outputs: { WORK: 'b' } });
    expect(getStep(view, 'work').attempts).toMatchObject([{ attempt: 1, worker: { id: 'w1' } }]);
    expect(relay.lines('work.begun')).toEqual(['x']);
    expect(relay.lines('order')).toEqual(['b']);
    expect(worker.had).toHaveLength(1);
    expect(await relay.eventsOf('step.dispatched')).toHaveLength(1);
    await expect.poll(() => worker.store.listTasks({ limit: 10 })).toEqual([]);
  });

  test('can end while there is no host', async () => {
    const { relay, worker } = await loseHostDuringStep(
      `${waitFor('work')}; exit 3`,
      ', continueOn: { exitCode: [3] }',
    );
    relay.go('work');
    await expect
      .poll(async () => (await worker.store.listTasks({ limit: 10 })).map(({ state }) => state))
      .toEqual(['settled']);
    await relay.recoverRuns();
    const view = await relay.end();
    expect(getStep(view, 'work')).toMatchObject({ status: 'failed', exitCode: 3 });
    expect(getStep(view, 'after').status).toBe('succeeded');
  });

  test('is stopped by the next one on request', async () => {
    const { relay } = await loseHostDuringStep(waitFor('work'));
    await relay.recoverRuns();
    await relay.stop();
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'aborted' });
    expect(getStep(view, 'work')).toMatchObject({ status: 'aborted', signal: 'SIGTERM' });
  });

  test('that was not assigned yet is run once, too', async () => {
    const relay = new RecoveryScenario();
    const worker = new ManualWorker({ home: relay.engine.home, clock: relay.clock });
    await worker.report();
    await relay.start(chain(relay, 'echo x >> ran'));
    await relay.untilRun((view) => getStep(view, 'work').waiting !== undefined);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    await worker.work();
    expect((await relay.end()).status).toBe('succeeded');
    expect(relay.lines('ran')).toEqual(['x']);
  });

  test('has the rest of its timeout, counted from the assignment', async () => {
    const { relay } = await loseHostDuringStep(waitFor('work'), ', timeoutSec: 100');
    relay.clock.advance(101_000);
    await relay.recoverRuns();
    const view = await relay.end();
    expect(getStep(view, 'work')).toMatchObject({ status: 'failed', error: 'step timed out after 100 s' });
  });

  test('is not offered again by a host that comes back late', async () => {
    const { relay, worker } = await loseHostDuringStep(`${waitFor('work')}; echo b`);
    const [task] = await worker.store.listTasks({ limit: 1 });
    await relay.recoverRuns();
    relay.go('work');
    await relay.end();
    await expect.poll(() => worker.store.listTasks({ limit: 10 })).toEqual([]);
    const { selector, attemptDir, key, runKey, run, step } = task!;
    await worker.store.offer([
      { key, runKey, runEpoch: 1, run, step, selector, attemptDir, priority: 0, payload: '{}' },
    ]);
    expect(await worker.store.find([key])).toEqual([]);
  });
});

test('items on workers are resumed where they were, and none runs twice', async () => {
  const relay = new RecoveryScenario();
  const worker = new ManualWorker({ home: relay.engine.home, clock: relay.clock });
  await worker.work();
  await relay.start(`
name: items
workingDir: ${relay.folder}
steps:
  - name: work
    command: "echo $ITEM >> begun; case $ITEM in a) ;; b) echo x >> b.begun; while [ ! -e b.go ]; do sleep 0.01; done;; esac; echo done $ITEM"
    parallel: { items: [a, b, c], maxConcurrent: 1 }
    output: RESULT
    ${remote}
`);
  await relay.untilRun(
    (view) => getStep(view, 'work').items?.started === 2 && relay.lines('b.begun').length === 1,
  );
  await relay.onLeaseLost();
  await relay.recoverRuns();
  await relay.engine.settle();
  relay.go('b');
  const view = await relay.end();
  expect(view.outputs['RESULT']).toMatchObject({
    summary: { total: 3, succeeded: 3, failed: 0 },
    outputs: ['done a', 'done b', 'done c'],
  });
  expect(relay.lines('begun')).toEqual(['a', 'b', 'c']);
  expect(worker.had.map(({ task }) => task.item)).toEqual([1, 2, 3]);
});
