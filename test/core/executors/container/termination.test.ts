import { expect, test } from 'vitest';
import {
  busybox,
  type TestContainerEngine,
  describeWithContainers,
} from '../../../harness/servers/containers.ts';
import { stdoutOf, TestEngine, testCaller } from '../../../harness/engine.ts';
import { toFinishedRun, workflowFor, type FinishedRun } from '../step-harness.ts';

const container = { image: busybox, network: 'none' };
const patient =
  'trap "echo ending; exit 9" TERM; trap "echo interrupted; exit 8" INT; echo begun; while :; do sleep 0.05 || true; done';
const stubborn = 'trap "" TERM; echo begun; while :; do sleep 0.05 || true; done';

/** Starts the workflow, stops it when the step has started, and waits for the end. */
async function stopWhenStarted(
  engine: TestContainerEngine,
  fields: Readonly<Record<string, unknown>>,
  force = false,
): Promise<FinishedRun> {
  const host = new TestEngine();
  const run = await host.start(workflowFor(engine, fields));
  await host.untilRun(run, (view) => view.steps[0]!.attempts.length > 0 && hasStarted(view));
  if (force) host.host.forceStop(run);
  else await host.host.api.call('runs.stop', run, testCaller);
  return toFinishedRun(await host.end(run));
}

function hasStarted(view: FinishedRun['view']): boolean {
  try {
    return stdoutOf(view, 'a').includes('begun');
  } catch {
    return false;
  }
}

describeWithContainers('stopping a command in a container', (engine) => {
  const places = {
    own: (step: object) => ({ steps: [{ name: 'a', container, ...step }] }),
    shared: (step: object) => ({ container, steps: [{ name: 'a', ...step }] }),
  };
  for (const [place, make] of Object.entries(places)) {
    test(`${place}: a stop sends SIGTERM, and the command can end by itself`, async () => {
      const { stdout, statuses } = await stopWhenStarted(engine(), make({ script: patient }));
      expect(stdout('a')).toMatch(/^begun\nending\n/);
      expect(statuses).toEqual({ a: 'aborted' });
      expect(await engine().containers()).toEqual([]);
    });

    test(`${place}: or the signal that the step names`, async () => {
      const { stdout } = await stopWhenStarted(engine(), make({ script: patient, signalOnStop: 'SIGINT' }));
      expect(stdout('a')).toMatch(/^begun\ninterrupted\n/);
      expect(await engine().containers()).toEqual([]);
    });

    test(`${place}: kills a command after the grace period`, async () => {
      const { statuses } = await stopWhenStarted(engine(), {
        maxCleanUpTimeSec: 1,
        ...make({ script: stubborn }),
      });
      expect(statuses).toEqual({ a: 'aborted' });
      expect(await engine().containers()).toEqual([]);
    });

    test(`${place}: a forced stop kills at once`, async () => {
      const { statuses } = await stopWhenStarted(engine(), make({ script: stubborn }), true);
      expect(statuses).toEqual({ a: 'aborted' });
      expect(await engine().containers()).toEqual([]);
    });

    test(`${place}: ends a step that times out`, async () => {
      const host = new TestEngine();
      const fields = make({ script: patient, timeoutSec: 2 });
      const { end, stdout } = toFinishedRun(await host.run(workflowFor(engine(), fields)));
      expect(end('a').error).toMatch(/timed out after 2 s/);
      expect(stdout('a')).toMatch(/ending/);
      expect(await engine().containers()).toEqual([]);
    });
  }

  test('ends the processes a command started in a container that stays', async () => {
    engine().podman('run', '--detach', '--name', 'stays', '--network', 'none', busybox, 'sleep', '1000');
    await stopWhenStarted(engine(), {
      container: { name: 'stays' },
      steps: [{ name: 'a', script: 'sleep 777 & echo begun; wait' }],
    });
    expect(engine().podman('exec', 'stays', 'ps')).not.toContain('sleep 777');
    engine().podman('rm', '--force', '--time', '0', 'stays');
  });

  test('does not wait for output that a command left open', async () => {
    const host = new TestEngine();
    const { statuses, stdout } = toFinishedRun(
      await host.run(
        workflowFor(engine(), { container, steps: [{ name: 'a', script: 'sleep 888 & echo begun' }] }),
      ),
    );
    expect(statuses).toEqual({ a: 'succeeded' });
    expect(stdout('a')).toBe('begun\n');
    expect(await engine().containers()).toEqual([]);
  });

  test('a container killed from outside fails the step', async () => {
    const host = new TestEngine();
    const run = await host.start(
      workflowFor(engine(), {
        container: { ...container, name: 'doomed' },
        steps: [{ name: 'a', script: stubborn }],
      }),
    );
    await host.untilRun(run, hasStarted);
    engine().podman('rm', '--force', '--time', '0', 'doomed');
    const { statuses } = toFinishedRun(await host.end(run));
    expect(statuses).toEqual({ a: 'failed' });
  });
});

describeWithContainers('a command in a container without a shell', (engine) => {
  test('is ended from outside, on the same machine', async () => {
    // BusyBox as a program that acts by its name, in an image that has no `sh` to send the signal with.
    engine().addImage('localhost/waits:1');
    engine().podman(
      'run',
      '--detach',
      '--name',
      'bare',
      '--network',
      'none',
      'localhost/waits:1',
      'sleep',
      '1000',
    );
    engine().podman('exec', 'bare', 'rm', '/bin/sh');
    const host = new TestEngine();
    const fields = { container: { name: 'bare' }, steps: [{ name: 'a', command: 'top -b -d 100' }] };
    const run = await host.start(workflowFor(engine(), fields));
    await host.untilRun(run, (view) => {
      try {
        return stdoutOf(view, 'a').includes('CPU');
      } catch {
        return false;
      }
    });
    await host.host.api.call('runs.stop', run, testCaller);
    const { statuses } = toFinishedRun(await host.end(run));
    expect(statuses).toEqual({ a: 'aborted' });
    expect(engine().podman('exec', 'bare', 'ps')).not.toContain('top -b');
    engine().podman('rm', '--force', '--time', '0', 'bare');
  });
});
