import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fileAppears,
  makeTestHome,
  readLines,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

/** Each step appends a line when it runs, so that a second execution would be seen. */
const chain = `
steps:
  - name: first
    command: echo first >> ran; echo 1
    output: FIRST
  - name: work
    command: echo work >> ran; touch begun; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 3
    output: WORK
    continueOn: { exitCode: [3], markSuccess: true }
  - name: last
    command: echo "last $FIRST $WORK" >> ran
handlerOn: { init: echo init >> ran, success: echo success >> ran, exit: echo exit >> ran }
`;
const all = ['init', 'first', 'work', 'last 1 two', 'success', 'exit'];

const start = ['start', 'chain', '--quiet', '--default-working-dir', '.'];
const ran = ({ cwd }: TestHome): string[] => readLines(join(cwd, 'ran'));
const detach = ({ cwd }: TestHome): void => writeFileSync(join(cwd, 'go'), '');

describe('a run whose engine is alive', () => {
  it('reports that engine', async () => {
    const place = makeTestHome();
    saveDag(place, 'chain', chain);
    const run = startEngine(place, start);
    await fileAppears(join(place.cwd, 'begun'));
    const { stdout } = await runEngine(place, ['status', 'chain']);
    expect(stdout).toMatch(new RegExp(`Host +command, process ${run.child.pid} on .*, since `));
    expect((await runForJson(place, ['status', 'chain'])).json.host).toMatchObject({
      kind: 'cli',
      pid: run.child.pid,
    });
    detach(place);
    expect((await run.ended).code).toBe(0);
    expect((await runForJson(place, ['status', 'chain'])).json.host).toBeUndefined();
  });
});

/** Starts the chain and kills its engine while `work` runs. */
async function killDuringRun(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(place, 'chain', chain);
  const run = startEngine(place, start);
  await fileAppears(join(place.cwd, 'begun'));
  run.kill('SIGKILL');
  await run.ended;
  return place;
}

describe('a run whose engine was killed', () => {
  it('is completed by engine recover: the same process, its real exit code, everything once', async () => {
    const place = await killDuringRun();
    const recovery = startEngine(place, ['recover', '--format', 'json']);
    detach(place);
    const { code, stdout } = await recovery.ended;
    expect(JSON.parse(stdout)).toMatchObject({ dagRuns: [{ name: 'chain', status: 'succeeded' }] });
    expect(code).toBe(0);
    expect(ran(place)).toEqual(all);
    const { json } = await runForJson(place, ['status', 'chain']);
    expect(json.steps[1]).toMatchObject({ status: 'succeeded', exitCode: 3, attempts: 1 });
    expect(readFileSync(json.steps[1]!.stdoutFile!, 'utf8')).toBe('two\n');
    expect(json.recoveries).toMatchObject([{ reason: 'the process has ended' }]);
    expect((await runEngine(place, ['recover'])).stdout).toMatch(
      /^Nothing to recover: all active runs have a host\./,
    );
  });

  it('is recovered in the background by the next command, which waits for it on request', async () => {
    const place = await killDuringRun();
    const stop = await runForJson(place, ['stop', 'chain', '--wait']);
    expect(stop).toMatchObject({ code: 0, json: { status: 'aborted' } });
    expect(ran(place)).toEqual(['init', 'first', 'work', 'exit']);
  });

  it('is reported without a host until it has one', async () => {
    const place = await killDuringRun();
    const { stdout } = await runEngine(place, ['status', 'chain'], {
      ENGINE_FAILPOINT: 'recovery.before_start:kill',
    });
    expect(stdout).toBe('');
    const host = startEngine(place, ['server', '--port', '0']);
    // The commands below may complete the run before the server handles signals.
    await waitForText(host.stdout, /ready at/);
    detach(place);
    await expect
      .poll(async () => (await runForJson(place, ['status', 'chain'])).json.status)
      .toBe('succeeded');
    host.kill('SIGTERM');
    expect((await host.ended).code).toBe(0);
    expect(ran(place)).toEqual(all);
  });
});
