import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TrackedProcesses } from '../../../core/process/process-table.ts';
import { SupervisedLauncher } from '../../../core/process/supervisor/supervised-launcher.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { silentLogger } from '../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

function prepare(argv: readonly string[]) {
  const cwd = makeTemporaryFolder();
  const attemptDir = path.join(cwd, 'run', 'step.1');
  mkdirSync(attemptDir, { recursive: true });
  const env = { PATH: process.env['PATH']! };
  return {
    argv,
    env,
    cwd,
    attemptDir,
    stopSignal: 'SIGTERM',
    cleanUpMs: 100,
    isCancelled: () => false,
  } as const;
}

function openLauncher() {
  const tracked = new TrackedProcesses();
  const launcher = new SupervisedLauncher({
    clock: systemClock,
    logger: silentLogger,
    watchers: [tracked.watch],
  });
  onTestFinished(() => launcher.release());
  return { launcher, tracked };
}

it('tracks what a launcher has started while it is alive', async () => {
  const { launcher, tracked } = openLauncher();
  const request = prepare([process.execPath, '-e', 'setInterval(() => {}, 1e6)']);
  const launched = await launcher.launch(request);
  if (!launched.ok) throw new Error(launched.error.message);
  const { pid, ended } = launched.value;
  expect(tracked.list()).toEqual([{ pid, attemptDir: request.attemptDir }]);
  launched.value.kill();
  await ended;
  expect(tracked.list()).toEqual([]);
});

it('ignores what did not start', async () => {
  const { launcher, tracked } = openLauncher();
  expect(await launcher.launch(prepare(['no-such-program-anywhere']))).toMatchObject({ ok: false });
  expect(tracked.list()).toEqual([]);
});
