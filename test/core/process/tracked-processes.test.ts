import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TrackedProcesses } from '../../../core/process/process-table.ts';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
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

it('tracks what it has started while it is alive', async () => {
  const launcher = new TrackedProcesses(new LocalLauncher(systemClock));
  const request = prepare([process.execPath, '-e', 'setInterval(() => {}, 1e6)']);
  const launched = await launcher.launch(request);
  if (!launched.ok) throw new Error(launched.error.message);
  const { pid, ended } = launched.value;
  expect(launcher.list()).toEqual([{ pid, attemptDir: request.attemptDir }]);
  launched.value.kill();
  await ended;
  expect(launcher.list()).toEqual([]);
});

it('ignores what did not start', async () => {
  const launcher = new TrackedProcesses(new LocalLauncher(systemClock));
  expect(await launcher.launch(prepare(['no-such-program-anywhere']))).toMatchObject({ ok: false });
  expect(launcher.list()).toEqual([]);
});
