import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type EngineProcess,
  fileAppears,
  makeTestHome,
  readLines,
  saveDag,
  startEngine,
  type TestHome,
} from '../harness/home-and-command.ts';
import { waitUntilPasses } from '../harness/resources.ts';

/** Starts a workflow and resolves once its step has started. */
async function startLong(place: TestHome, script: string): Promise<EngineProcess> {
  saveDag(
    place,
    'long',
    `maxCleanUpTimeSec: 600\nsteps:\n  - name: work\n    script: |\n      #!/bin/sh\n      ${script}\n      touch begun\n      while :; do sleep 0.02; done\n  - echo never\nhandlerOn:\n  abort: echo abort >> handlers\n  exit: echo exit >> handlers\n`,
  );
  const run = startEngine(place, ['start', 'long', '--format', 'json', '--default-working-dir', '.']);
  await fileAppears(join(place.cwd, 'begun'));
  return run;
}

describe('a signal to engine start', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('aborts the run, runs its handlers and exits: %s with %i', async (signal, code) => {
    const place = makeTestHome();
    const run = await startLong(place, ':');
    run.kill(signal);
    const outcome = await run.ended;
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      status: 'aborted',
      steps: [{ name: 'work', status: 'aborted', exitCode: null }, { status: 'not_started' }],
    });
    expect(readLines(join(place.cwd, 'handlers'))).toEqual(['abort', 'exit']);
    expect(outcome.stderr).toContain(`engine: ${signal}: stopping run`);
    expect(outcome).toMatchObject({ code, signal: null });
  });

  it('a second signal kills a step that ignores the first, and starts no more steps', async () => {
    const place = makeTestHome();
    const run = await startLong(place, "trap 'touch deaf' TERM");
    run.kill('SIGINT');
    await fileAppears(join(place.cwd, 'deaf'));
    // An immediate second signal is an echo of the first; a user keeps pressing.
    await waitUntilPasses(() => {
      run.kill('SIGINT');
      if (!run.stderr().includes('killing the processes')) throw new Error('not yet');
    }, 100);
    const outcome = await run.ended;
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      status: 'aborted',
      steps: [{ signal: 'SIGKILL' }, {}],
    });
    expect(existsSync(join(place.cwd, 'handlers'))).toBe(false);
    expect(outcome.code).toBe(130);
  });
});
