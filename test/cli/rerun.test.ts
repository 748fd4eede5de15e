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
  type TestHome,
} from '../harness/home-and-command.ts';

const etl = `
type: graph
params: WHO=nobody
steps:
  - { name: load, command: 'echo rows', output: ROWS }
  - { name: send, command: 'test -e ready', depends: load }
  - { name: report, command: 'echo "$ROWS for $WHO"', depends: send }
`;

async function makeFailed(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(place, 'etl', etl);
  const { code } = await runEngine(place, ['start', 'etl', '--run-id', 'one', '--default-working-dir', '.']);
  expect(code).toBe(1);
  return place;
}

const mend = (place: TestHome): void => writeFileSync(join(place.cwd, 'ready'), '');

describe('engine note', () => {
  it('sets, shows and deletes the note of a run', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps: [echo hi]');
    await runEngine(place, ['start', 'etl', '-r', 'one']);
    const note = (...args: string[]) => runEngine(place, ['note', 'etl', ...args]);
    expect((await note()).stderr).toBe('Run one of etl has no note.\n');
    expect((await note('Bad input\n- see 4711', '-r', 'one')).stdout).toBe('Note of run one of etl saved.\n');
    expect((await note()).stdout).toMatch(/^Bad input\n- see 4711\n\(on the command line, .+\)\n$/);
    expect((await runForJson(place, ['note', 'etl'])).json).toMatchObject({
      dagRunId: 'one',
      note: { text: 'Bad input\n- see 4711', author: 'cli' },
    });
    expect(await note('x', '--delete')).toMatchObject({ code: 2 });
    expect((await note('x'.repeat(10_001))).code).toBe(2);
    expect((await note('--delete')).stdout).toBe('Note of run one of etl deleted.\n');
  });
});

describe('engine retry', () => {
  it('shows what reruns and what is reused, then runs to completion', async () => {
    const place = await makeFailed();
    mend(place);
    const { code, stdout, stderr } = await runEngine(place, ['retry', 'etl']);
    expect(code).toBe(0);
    const [plan = '', progress = ''] = stderr.split('\n\n');
    expect(plan).toMatch(/^load +keep +✔ succeeded +already succeeded$/m);
    expect(plan).toMatch(/^send +run +✖ failed +failed$/m);
    expect(progress).toContain('step send started (attempt 2)');
    expect(progress).not.toContain('step load');
    expect(stdout).toMatch(/^Status +✔ succeeded$/m);
    expect(stdout).toMatch(/^Run +etl +one$/m);
  });

  it('prints the plan as JSON, and does nothing in a dry run', async () => {
    const place = await makeFailed();
    const actions = { load: 'keep', send: 'run', report: 'run' };
    const readActions = (json: object) =>
      Object.fromEntries(
        (json as { plan: { steps: { name: string; action: string }[] } }).plan.steps.map((step) => [
          step.name,
          step.action,
        ]),
      );
    const dry = await runForJson(place, ['retry', 'etl', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(dry.json).toMatchObject({ name: 'etl', dagRunId: 'one' });
    expect(readActions(dry.json)).toEqual(actions);
    const again = await runForJson(place, ['retry', 'etl']);
    expect(again.code).toBe(1);
    expect(again.json).toMatchObject({ status: 'failed', steps: [{ attempts: 1 }, { attempts: 2 }, {}] });
    expect(readActions(again.json)).toEqual(actions);
  });

  it('runs one step, alone or with its dependents', async () => {
    const place = await makeFailed();
    mend(place);
    const alone = await runForJson(place, ['retry', '-r', 'one', '--step', 'send', 'etl']);
    expect(alone).toMatchObject({
      code: 1,
      json: { steps: [{ attempts: 1 }, { status: 'succeeded', attempts: 2 }, { status: 'aborted' }] },
    });
    const further = await runForJson(place, ['retry', '--step', 'send', '--downstream', 'etl']);
    expect(further).toMatchObject({
      code: 0,
      json: { status: 'succeeded', steps: [{ attempts: 1 }, { attempts: 3 }, { attempts: 1 }] },
    });
  });

  it.each([
    [['--step', 'sned'], 3, /etl has no step "sned"\.[^]*Did you mean "send"\?/],
    [['--downstream'], 2, /Option --downstream requires --step NAME\./],
    [['--from', 'send', '--step', 'send'], 2, /Options --from and --step cannot be used together\./],
    [['two', '--run-id', 'one'], 2, /Specify either RUN or --run-id\./],
    [['-r', 'two'], 3, /Run two of etl not found\./],
  ])('rejects %j with exit code %d', async (args, code, message) => {
    const place = await makeFailed();
    const outcome = await runEngine(place, ['retry', 'etl', ...args]);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toMatch(message);
  });

  it('says that the file has changed, and resumes with it on request', async () => {
    const place = await makeFailed();
    saveDag(place, 'etl', etl.replace('test -e ready', 'echo mended'));
    const own = await runEngine(place, ['retry', 'etl', '--dry-run']);
    expect(own.stderr).toBe(
      'engine: the file has changed since the run; using the text of the run (--current uses the file)\n',
    );
    const dry = await runEngine(place, ['retry', 'etl', 'one', '--current', '--dry-run']);
    expect(dry.stderr).toBe('engine: the file has changed since the run; using the current file\n');
    expect(dry.stdout).toMatch(/^load +keep +✔ succeeded +already succeeded$/m);
    expect(dry.stdout).toMatch(/^send +run +✖ failed +failed; text changed$/m);
    const { code, json } = await runForJson(place, ['retry', 'etl', '--current']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ steps: [{ attempts: 1 }, { attempts: 2 }, { attempts: 1 }] });
  });

  it('names the removed steps that must be accepted, and the line of an error in the file', async () => {
    const place = await makeFailed();
    saveDag(place, 'etl', 'steps: [{ name: send, command: "true" }]\n');
    const asked = await runEngine(place, ['retry', 'etl', '--current']);
    expect(asked).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Steps that succeeded are not in the current file: load.'),
    });
    saveDag(place, 'etl', 'steps:\n  - { name: send, comand: x }\n');
    const invalid = await runEngine(place, ['retry', 'etl', '--current']);
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining('etl.yaml:2:') });
    saveDag(place, 'etl', 'steps: [{ name: send, command: "true" }]\n');
    const accepted = await runForJson(place, ['retry', 'etl', '--current', '--accept-removed']);
    expect(accepted).toMatchObject({ code: 0, json: { status: 'succeeded', steps: [{ attempts: 2 }] } });
  });

  it('does nothing for a succeeded run', async () => {
    const place = makeTestHome();
    saveDag(place, 'fine', 'steps: ["true"]\n');
    await runEngine(place, ['start', 'fine']);
    const { code, stderr } = await runEngine(place, ['retry', 'fine']);
    expect(code).toBe(4);
    expect(stderr).toContain(
      'hint: Use --step NAME to run a step again, and --downstream to include the steps after it.',
    );
  });
});

describe('engine start --from-run-id', () => {
  it('reruns with the parameters of that run, under a new id', async () => {
    const place = await makeFailed();
    mend(place);
    await runEngine(place, ['start', 'etl', '--run-id', 'two', '--', 'WHO=ann']);
    const { json } = await runForJson(place, ['start', '--from-run-id', 'two', '--run-id', 'three', 'etl']);
    expect(json).toMatchObject({ dagRunId: 'three', params: ['WHO=ann'] });
  });

  it('rejects parameters, and requires the workflow', async () => {
    const place = await makeFailed();
    const both = await runEngine(place, ['start', '--from-run-id', 'latest', 'etl', '--', 'WHO=ben']);
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--from-run-id reuses the parameters of that run. Remove the other parameters, or remove --from-run-id.',
      ),
    });
    const none = await runEngine(place, ['start', '--from-run-id', 'latest']);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Option --from-run-id requires a workflow'),
    });
  });
});

describe('engine restart', () => {
  it('stops the run of another process and reruns it here', async () => {
    const place = makeTestHome();
    saveDag(
      place,
      'serve',
      `steps: [{ name: serve, command: 'test -e ready || { touch begun; sleep 60; }' }]\n`,
    );
    const first = startEngine(place, ['start', 'serve', '--run-id', 'one', '--default-working-dir', '.']);
    await fileAppears(join(place.cwd, 'begun'));
    mend(place);
    const { code, json } = await runForJson(place, ['restart', 'serve']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ status: 'succeeded', name: 'serve' });
    expect((json as { dagRunId: string }).dagRunId).not.toBe('one');
    expect((await first.ended).code).toBe(1);
  });

  it('fails when no run is active', async () => {
    const place = await makeFailed();
    const { code, stderr } = await runEngine(place, ['restart', 'etl']);
    expect(code).toBe(4);
    expect(stderr).toContain('No active run of etl. The latest run, one, has status "failed".');
  });
});
