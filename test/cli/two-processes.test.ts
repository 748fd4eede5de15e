import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fileAppears,
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  waitForGoFile,
  type EngineProcess,
  type TestHome,
} from '../harness/home-and-command.ts';

/** Starts a workflow that prints, waits for the file `go`, and prints again; resolves once it waits. */
async function startWaiting(
  place: TestHome,
  yaml = `steps:\n  - name: talk\n    command: echo one; ${waitForGoFile}; echo two\n  - name: more\n    command: echo three\n`,
): Promise<EngineProcess> {
  saveDag(place, 'wait', yaml);
  const run = startEngine(place, ['start', 'wait', '--format', 'json', '--default-working-dir', '.']);
  await fileAppears(join(place.cwd, 'begun'));
  return run;
}

const detach = ({ cwd }: TestHome): void => writeFileSync(join(cwd, 'go'), '');

describe('two processes on one home', () => {
  it('see each other’s run: status while active, logs -f until it ends', async () => {
    const place = makeTestHome();
    const run = await startWaiting(place);
    expect((await runForJson(place, ['status', 'wait'])).json).toMatchObject({
      status: 'running',
      finishedAt: null,
      steps: [
        { name: 'talk', status: 'running' },
        { name: 'more', status: 'not_started' },
      ],
    });
    const logs = startEngine(place, ['logs', 'wait', '-f']);
    const one = startEngine(place, ['logs', 'wait', 'talk', '--follow', '--stream', 'stdout']);
    await waitForText(logs.stdout, /talk \| one\n/);
    await waitForText(one.stdout, /one\n/);
    detach(place);
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(await logs.ended).toMatchObject({ code: 0, stdout: 'talk | one\ntalk | two\nmore | three\n' });
    expect(await one.ended).toMatchObject({ code: 0, stdout: 'one\ntwo\n' });
  });

  it('stop each other’s run, with its handlers', async () => {
    const place = makeTestHome();
    const run = await startWaiting(
      place,
      `steps:\n  - name: talk\n    command: ${waitForGoFile}\nhandlerOn:\n  abort: echo aborted\n`,
    );
    const stop = await runForJson(place, ['stop', 'wait', '--wait']);
    expect(stop).toMatchObject({ code: 0, json: { name: 'wait', status: 'aborted' } });
    const { code, stdout } = await run.ended;
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'aborted',
      handlers: [{ name: 'onAbort', status: 'succeeded' }],
    });
    expect(code).toBe(1);
    expect(await runEngine(place, ['stop', 'wait'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^engine: No active run of wait\./),
    });
  });

  it('respect maxActiveRuns across processes', async () => {
    const place = makeTestHome();
    const run = await startWaiting(place, `maxActiveRuns: 1\nsteps:\n  - command: ${waitForGoFile}\n`);
    const second = await runForJson(place, ['start', 'wait']);
    expect(second).toMatchObject({ code: 4, json: { error: { code: 'max_run_reached' } } });
    detach(place);
    expect((await run.ended).code).toBe(0);
  });

  it('start runs at the same time without losing one', async () => {
    const place = makeTestHome({ isNew: true });
    saveDag(place, 'busy', 'maxActiveRuns: -1\nsteps:\n  - echo a\n  - echo b\n');
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => startEngine(place, ['start', 'busy', '-q']).ended),
    );
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: 6 }, () => ({ code: 0, stderr: '' })),
    );
    const { json } = await runForJson(place, ['history', 'busy', '--status', 'succeeded']);
    expect(json.dagRuns).toHaveLength(6);
  });
});
