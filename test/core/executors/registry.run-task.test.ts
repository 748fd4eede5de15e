import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExecutorResult, StepContext, StepTask } from '../../../core/executors/executor.ts';
import { runTask } from '../../../core/executors/registry.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

/** A task that ends on command, with the signals it received. */
function startTask() {
  const attemptDir = join(makeTemporaryFolder(), 'a.1');
  mkdirSync(attemptDir);
  const clock = new FakeClock();
  let finish: (result: ExecutorResult) => void = () => {};
  const started = Promise.withResolvers<StepTask>();
  // Running a task requires no more than this.
  const context = { attemptDir, clock, cleanUpMs: 5000 } as unknown as StepContext;
  const running = runTask(context, (task) => {
    started.resolve(task);
    return new Promise((resolve) => (finish = resolve));
  });
  return { clock, running, started: started.promise, finish: (result: ExecutorResult) => finish(result) };
}

test('stops a task, kills it after the grace period, and then abandons it', async () => {
  const { clock, running, started } = startTask();
  const { signal, killing } = await started;
  running.stop();
  expect([signal.aborted, killing.aborted]).toEqual([true, false]);
  clock.advance(5000);
  expect(killing.aborted).toBe(true);
  clock.advance(3000);
  expect(await running.ended).toEqual({ error: 'did not end within the clean-up time' });
});

test('a task that cleans up after the kill ends with its own result', async () => {
  const { clock, running, started, finish } = startTask();
  const { signal, killing } = await started;
  running.kill();
  expect([signal.aborted, killing.aborted]).toEqual([true, true]);
  clock.advance(2000);
  finish({ exitCode: 3, error: 'killed' });
  expect(await running.ended).toEqual({ exitCode: 3, error: 'killed' });
});
