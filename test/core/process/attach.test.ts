import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitJournal } from '../../../core/model/run.ts';
import { writeExitRecord } from '../../../core/process/exits.ts';
import type { AttachRequest, LaunchedProcess } from '../../../core/process/launcher.ts';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { isAlive } from '../../../core/process/process-table.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';
import {
  findProgram,
  listAttemptProcesses,
  makeLaunchRig,
  type LaunchedTestProcess,
} from './launch-harness.ts';

/** As another process would, which knows only the record. */
function attach(
  to: LaunchedTestProcess,
  change: Partial<AttachRequest> = {},
  clock?: FakeClock,
): LaunchedProcess {
  const { attemptDir, pid, pidStart } = to;
  const request = { attemptDir, pid, pidStart, stopSignal: 'SIGTERM', cleanUpMs: 20, ...change } as const;
  const launcher = clock ? new LocalLauncher(clock) : makeLaunchRig().launcher;
  const attached = launcher.attach(request);
  if (!attached) throw new Error('nothing was found');
  return attached;
}

async function launchReady(...argv: string[]): Promise<LaunchedTestProcess> {
  const launched = await makeLaunchRig().launch(argv);
  await launched.ready();
  return launched;
}

describe('process started by another process', () => {
  it.each([
    ['by its pid', {}],
    ['by its tag', { pid: undefined, pidStart: undefined }],
    ['by pid and tag', { pidStart: '' }],
  ])('is found %s, and its result is the recorded one', async (_how, change) => {
    const launched = await launchReady(findProgram('hang.sh'));
    const attached = attach(launched, change);
    expect(attached).toMatchObject({ pid: launched.pid, pidStart: launched.pidStart });
    process.kill(launched.pid, 'SIGTERM');
    expect(await attached.ended).toEqual(await launched.ended);
    expect(await attached.ended).toMatchObject({ signal: 'SIGTERM' });
  });

  it.each(['stop', 'kill'] as const)('can be ended with all its processes: %s', async (how) => {
    const launched = await launchReady(findProgram('escape.sh'));
    const attached = attach(launched);
    attached[how]();
    attached.kill();
    await attached.ended;
    expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
  });

  it('is killed when it times out', async () => {
    const launched = await launchReady(findProgram('ignore-term.sh'), 'ignore');
    const attached = attach(launched);
    attached.stop();
    attached.stop();
    expect(await attached.ended).toMatchObject({ signal: 'SIGKILL' });
  });

  it('may have ended already', async () => {
    const launched = await makeLaunchRig().launch([findProgram('exit.sh'), '7', 'some reason']);
    await launched.ended;
    const attached = attach(launched);
    expect(await attached.ended).toEqual(await launched.ended);
    attached.stop();
    attached.kill();
  });

  it('keeps the record of output that could not be stored', async () => {
    const launched = await makeLaunchRig().launch(['true']);
    await launched.ended;
    writeExitRecord(launched.attemptDir, { exitCode: 0, finishedAt: 5, error: 'the disk was full' });
    expect(await attach(launched).ended).toEqual({
      exitCode: 0,
      finishedAt: 5,
      outputError: 'the disk was full',
    });
  });

  it('is lost when it has exited without a record, after a second', async () => {
    const clock = new FakeClock();
    const launched = await makeLaunchRig().launch(['true']);
    await launched.ended;
    writeFileSync(join(launched.attemptDir, '..', exitJournal), '');
    const attached = attach(launched, {}, clock);
    let isTold = false;
    void attached.ended.finally(() => (isTold = true));
    clock.advance(900);
    await new Promise(setImmediate);
    expect(isTold).toBe(false);
    clock.advance(1000);
    expect(await attached.ended).toEqual({ lost: true, finishedAt: expect.any(Number) });
    expect(clock.pending).toBe(0);
  });

  it('leaves nothing behind in its group', async () => {
    const launched = await makeLaunchRig().launch([
      'sh',
      '-c',
      'sleep 1000000 & echo ready; exec sleep 1000000',
    ]);
    await launched.ready();
    const attached = attach(launched);
    process.kill(launched.pid, 'SIGKILL');
    await attached.ended;
    expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
  });
});

describe('reused pid', () => {
  it.each(['stop', 'kill'] as const)('never gets a signal: %s', async (how) => {
    const launched = await launchReady(findProgram('hang.sh'));
    const other = await makeLaunchRig().launch(['true']);
    await other.ended;
    const { pid } = launched;
    const attached = attach(other, { pid, pidStart: '1' });
    attached[how]();
    attached.kill();
    expect(await attached.ended).toEqual(await other.ended);
    expect(isAlive(launched)).toBe(true);
    const unsure = attach(other, { pid, pidStart: '' });
    unsure[how]();
    await unsure.ended;
    expect(isAlive(launched)).toBe(true);
  });
});

it('finds nothing without a pid when no process is alive', async () => {
  const { launch, launcher } = makeLaunchRig();
  const { attemptDir, ended } = await launch(['true']);
  await ended;
  expect(launcher.attach({ attemptDir, stopSignal: 'SIGTERM', cleanUpMs: 20 })).toBeUndefined();
});

it('watches nothing after a release', async () => {
  const clock = new FakeClock();
  const launched = await launchReady(findProgram('hang.sh'));
  const { attemptDir, pid, pidStart } = launched;
  const launcher = new LocalLauncher(clock);
  launcher.attach({ attemptDir, pid, pidStart, stopSignal: 'SIGTERM', cleanUpMs: 20 });
  await until(() => clock.pending > 0);
  launcher.release();
  expect(clock.pending).toBe(0);
});
