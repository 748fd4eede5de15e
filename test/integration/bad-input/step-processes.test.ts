import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson, saveDag, startEngine } from '../../harness/home-and-command.ts';
import {
  program,
  findStepProcesses,
  hasProcFolder,
  killStepProcessesAtEnd,
  readPeakMemory,
} from './step-processes.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

const MEBIBYTE = 1024 * 1024;

/** Starts a workflow of one step, and stops it from another process once the step is ready. */
async function stopStep(yaml: string) {
  const place = makeTestHome();
  killStepProcessesAtEnd(place);
  saveDag(place, 'stubborn', yaml);
  const run = startEngine(place, ['start', 'stubborn', '--format', 'json']);
  const started = await waitUntilPasses(async () => {
    const { stdout } = await runEngine(place, ['logs', 'stubborn', '--stream', 'stdout']);
    expect(stdout).toMatch(/\| ready\n/);
    return findStepProcesses(place);
  });
  const stopped = await runForJson(place, ['stop', 'stubborn', '--wait']);
  return { started, left: findStepProcesses(place), stopped, outcome: await run.ended };
}

// Only where the system lists processes; elsewhere the tests are not registered, so none is skipped.
if (hasProcFolder) {
  it('a flood of output costs the engine no memory and is stored completely', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'flood',
      `steps:\n  - name: flood\n    command: ${program(`spew.sh ${64 * MEBIBYTE}`)}\n  - name: swallow\n    command: ${program(`spew.sh ${64 * MEBIBYTE}`)}\n    output: TEXT\n`,
    );
    const run = startEngine(place, ['start', 'flood', '--format', 'json']);
    let peak = 0;
    await waitUntilPasses(() => {
      peak = Math.max(peak, readPeakMemory(run.child));
      expect(run.child.exitCode).toBe(1);
    }, 5);
    const { steps } = JSON.parse((await run.ended).stdout) as { steps: { stdoutFile: string }[] };
    expect(steps).toMatchObject([
      { name: 'flood', status: 'succeeded', exitCode: 0 },
      {
        name: 'swallow',
        status: 'failed',
        exitCode: 0,
        error: expect.stringMatching(/output exceeded maximum size/),
      },
    ]);
    expect(steps.map(({ stdoutFile }) => statSync(stdoutFile).size)).toEqual([64 * MEBIBYTE, 64 * MEBIBYTE]);
    expect(peak).toBeGreaterThan(20 * MEBIBYTE);
    expect(peak).toBeLessThan(200 * MEBIBYTE);
  });

  it('a step that ignores SIGTERM is killed on timeout', async () => {
    const { started, left, stopped, outcome } = await stopStep(
      `maxCleanUpTimeSec: 1\nsteps:\n  - name: deaf\n    command: exec ${program('ignore-term.sh')}\n`,
    );
    expect(started.length).toBeGreaterThan(0);
    expect(left).toEqual([]);
    expect(stopped).toMatchObject({ code: 0, json: { status: 'aborted' } });
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      status: 'aborted',
      steps: [{ name: 'deaf', status: 'aborted', exitCode: null, signal: 'SIGKILL' }],
    });
    expect(outcome.code).toBe(1);
  });

  it('children that ignore SIGTERM, and one outside the process group, end with their step', async () => {
    const { started, left, outcome } = await stopStep(
      `maxCleanUpTimeSec: 1\nsteps:\n  - name: family\n    command: ${program('escape.sh >&2')} & ${program('fork-children.sh ignore')}\n`,
    );
    expect(started.length).toBeGreaterThanOrEqual(4);
    expect(left).toEqual([]);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ steps: [{ name: 'family', status: 'aborted' }] });
  });

  it('a child left behind by a succeeded step ends before the next step starts', async () => {
    const place = makeTestHome();
    killStepProcessesAtEnd(place);
    saveDag(
      place,
      'leaver',
      `steps:\n  - name: leave\n    command: ${program('leave-behind.sh 0')}\n    output: LEFT\n  - name: look\n    command: sed -n 's/^State:[[:space:]]*//p' "/proc/$LEFT/status" || true\n    output: FOUND\n`,
    );
    const { code, json } = await runForJson(place, ['start', 'leaver']);
    expect(json.outputs.LEFT).toMatch(/^\d+$/);
    expect(json.outputs.FOUND).toMatch(/^(Z.*)?$/);
    expect(findStepProcesses(place)).toEqual([]);
    expect(code).toBe(0);
  });
}
