import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
  waitForText,
  type EngineProcess,
  type TestHome,
} from '../harness/home-and-command.ts';

const release = `
maxActiveRuns: -1
steps:
  - name: release
    type: approval
    config: { question: Release it?, inputs: [TICKET], required: [TICKET] }
    output: DECISION
  - name: tell
    command: echo "\${DECISION.by} \${DECISION.inputs.TICKET}"
    output: TOLD
`;

/** A foreground run that waits for an approval. */
async function startAsking(place: TestHome, ...args: readonly string[]): Promise<EngineProcess> {
  saveDag(place, 'etl', release);
  const run = startEngine(place, ['start', 'etl', '-r', 'one', ...args]);
  await waitForText(run.stderr, /step release waiting for approval/);
  return run;
}

describe('foreground run waiting for an approval', () => {
  it('shows the question and how to respond; another command responds', async () => {
    const place = makeTestHome();
    const run = await startAsking(place);
    expect(run.stderr()).toContain(
      'step release waiting for approval: Release it? (engine approve etl release -r one --input TICKET=…, or engine reject)',
    );
    const list = await runEngine(place, ['approvals']);
    expect(list.stdout).toMatch(
      /^NAME +RUN ID +STEP +ASKED +QUESTION\netl +one +release +.+ +Release it\?\n$/,
    );
    const status = await runEngine(place, ['status', 'etl']);
    expect(status.stdout).toMatch(/waiting: approval requested at .*engine approve etl release -r one/);
    const args = ['approve', 'etl', 'release', '--comment', 'fine', '--input', 'TICKET=OPS 17'];
    expect(await runEngine(place, args)).toMatchObject({
      code: 0,
      stdout: 'Step release of run one of etl approved.\n',
    });
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/step release approved on the command line: fine/);
    expect(stdout).toMatch(/TOLD=\S+ OPS 17/);
  });

  it('fails when rejected, and does not accept a second response', async () => {
    const place = makeTestHome();
    const run = await startAsking(place);
    const rejected = await runEngine(place, ['reject', 'etl', '--comment', 'no', '--format', 'json']);
    expect(JSON.parse(rejected.stdout)).toMatchObject({
      decision: 'rejected',
      comment: 'no',
      step: 'release',
    });
    const { code, stdout } = await run.ended;
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/rejected on the command line: no/),
    });
    const late = await runEngine(place, ['approve', 'etl', 'release', '--input', 'TICKET=1']);
    expect(late).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /is no longer waiting for approval: the request was rejected on the command line at/,
      ),
    });
    expect((await runEngine(place, ['approvals'])).stderr).toBe('No pending approvals.\n');
    expect((await runEngine(place, ['approvals', 'etl', '--all'])).stdout).toMatch(
      /rejected on the command line +Release/,
    );
  });

  it('rejects a response with a missing or unknown input', async () => {
    const place = makeTestHome();
    await startAsking(place);
    expect(await runEngine(place, ['approve', 'etl'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('values.TICKET: required for approval'),
    });
    expect(await runEngine(place, ['approve', 'etl', '--input', 'TIKET=1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "TICKET"?'),
    });
    expect(await runEngine(place, ['approve', 'etl', '--input', 'TICKET'])).toMatchObject({ code: 2 });
    expect(await runEngine(place, ['approve', 'etl', 'other'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Step "other" of etl is not waiting for approval.'),
    });
  });
});

describe('several runs waiting for approval', () => {
  it('are distinguished by their ids', async () => {
    const place = makeTestHome();
    const one = await startAsking(place);
    const two = startEngine(place, ['start', 'etl', '-r', 'two']);
    await waitForText(two.stderr, /step release waiting for approval/);
    const answer = ['approve', 'etl', '--input', 'TICKET=1'];
    expect(await runEngine(place, answer)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '2 steps are waiting for approval. Specify a step and a run: release -r two, release -r one',
      ),
    });
    expect((await runEngine(place, [...answer, '-r', 'two'])).code).toBe(0);
    expect((await two.ended).code).toBe(0);
    expect((await runEngine(place, answer)).code).toBe(0);
    expect((await one.ended).code).toBe(0);
  });
});

describe('run whose process was killed while waiting for approval', () => {
  it('continues after another command responds', async () => {
    const place = makeTestHome();
    const run = await startAsking(place);
    run.kill('SIGKILL');
    await run.ended;
    expect((await runEngine(place, ['approve', 'etl', '--input', 'TICKET=OPS-1'])).code).toBe(0);
    await runEngine(place, ['logs', 'etl', '-f']);
    const { stdout } = await runEngine(place, ['logs', 'etl', 'release', '--stream', 'stdout']);
    expect(JSON.parse(stdout)).toMatchObject({ approved: true, inputs: { TICKET: 'OPS-1' } });
    expect((await runEngine(place, ['status', 'etl'])).stdout).toContain('succeeded');
  });
});

describe('approvals through a server', () => {
  it('are listed and answered through the server', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', release);
    const server = startEngine(place, ['server', '--port', '0']);
    await waitForText(server.stdout, /ready at \S+\n/);
    const away = { ENGINE_HOME: undefined, ENGINE_SERVER: /ready at (\S+)/.exec(server.stdout())![1] };
    const run = startEngine(makeTestHome(), ['start', 'etl'], away);
    await waitForText(run.stderr, /step release waiting for approval/);
    const list = await runEngine(place, ['approvals', '--format', 'json'], away);
    expect(JSON.parse(list.stdout)).toMatchObject({ approvals: [{ name: 'etl', inputs: ['TICKET'] }] });
    expect((await runEngine(place, ['approve', 'etl', '--input', 'TICKET=9'], away)).code).toBe(0);
    expect((await run.ended).code).toBe(0);
  });
});
