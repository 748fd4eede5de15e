import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RemoteDriver } from '../../../../core/distributed/remote-driver.ts';
import { openTaskFiles } from '../../../../core/distributed/files/open-task-files.ts';
import type { RemoteTask, RemoteAttempt } from '../../../../core/run/remote/remote-task.ts';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';

const placeIn = (home: string): string => path.join(home, 'logs/etl/20260101T000000Z_r1/far.1');

test("a host that recovers a run from another home has the log of that home's directories", async () => {
  const clock = new FakeClock();
  const store = openDispatch({ file: ':memory:' }, clock);
  const files = await openTaskFiles({ syncsLogs: false });
  const driver = new RemoteDriver(
    clock,
    silentLogger,
    async () => store,
    async () => files,
  );
  onTestFinished(async () => {
    driver.close();
    await store.close();
  });
  const [first, second] = [placeIn(makeTemporaryFolder()), placeIn(makeTemporaryFolder())];
  const attempt: RemoteAttempt = {
    ...{ key: '1.step.far.1', runKey: 1, runEpoch: 1, run: { name: 'etl', dagRunId: 'r1' } },
    selector: { gpu: 'true' },
    task: { node: { section: 'step', name: 'far' } } as RemoteTask,
    attemptDir: second,
    onWaiting() {},
    onStarted() {},
    onLeft() {},
    maskSecrets() {},
  };
  const { key, runKey, run, selector } = attempt;
  await store.offer([
    { key, runKey, run, step: 'far', selector, priority: 0, payload: '{}', attemptDir: first },
  ]);
  const hello = { labels: { gpu: 'true' }, slots: 1, version: 'test', host: 'box', pid: 1, keeps: [] };
  const { epoch } = await store.register({ id: 'w1', ...hello });
  const worker = { id: 'w1', epoch };
  const [claimed] = (await store.claim([{ ...worker, free: 1 }])).get('w1')!;
  await store.begin(worker, [claimed!]);
  const { ended } = driver.start(attempt);
  await files.appendLog(first, 'stdout', 0, Buffer.from('from the first home\n'));
  const { fence } = claimed!;
  await store.settle([{ ...worker, key, fence, result: JSON.stringify({ exitCode: 0, hidden: [] }) }]);
  let end: unknown;
  void ended.then((value) => (end = value));
  await until(() => {
    clock.advance(100);
    return end !== undefined;
  });
  expect(end).toEqual({ exitCode: 0 });
  expect(readFileSync(path.join(second, 'stdout.log'), 'utf8')).toBe('from the first home\n');
});
