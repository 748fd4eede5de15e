import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRef } from '../../../../core/model/run.ts';
import type { StepSelectionOptions } from '../../../../core/run/read-partial-run.ts';
import { statusesOf, TestEngine, testCaller, stdoutOf, type RunView } from '../../../harness/engine.ts';
import { attemptsOf, eventsOf, retry, type RetryOptions } from '../run-harness.ts';

/** A workflow file in the home of an engine, which a test edits between the runs. */
class EditedFile {
  readonly engine = new TestEngine();
  readonly #file: string;

  constructor(text: string, name = 'etl') {
    this.#file = path.join(this.engine.home, 'dags', `${name}.yaml`);
    this.write(text);
  }

  write(text: string): void {
    writeFileSync(this.#file, text);
  }

  async run(params?: string, part?: StepSelectionOptions): Promise<RunView> {
    const source = { file: this.#file };
    return this.engine.end(
      await this.engine.host.startRun({
        source,
        trigger: 'cli',
        ...(params !== undefined && { params }),
        ...(part !== undefined && { part }),
      }),
    );
  }

  plan({ name, dagRunId }: RunRef, options: RetryOptions = { spec: 'file' }) {
    return this.engine.host.api.call('runs.retryPlan', { name, dagRunId, ...options }, testCaller);
  }

  resume(run: RunRef, options: RetryOptions = {}): Promise<RunView> {
    return retry(this.engine, run, { spec: 'file', ...options });
  }

  async rejected(run: RunRef, options: RetryOptions = {}): Promise<unknown> {
    return this.resume(run, options).then(
      () => undefined,
      (error: unknown) => error,
    );
  }
}

const linesOf = ({ steps }: { steps: readonly { name: string; action: string; reason: string }[] }) =>
  steps.map(({ name, action, reason }) => `${name}: ${action}, ${reason}`);

const text = `
type: graph
env: [{ TARGET: west }]
steps:
  - { name: load, command: echo rows, output: ROWS }
  - { name: tell, command: 'echo "to $TARGET"', output: TOLD }
  - { name: send, command: 'echo "$ROWS"; exit 1', depends: load }
  - { name: report, command: 'echo "after $ROWS"', depends: send }
`;
const mended = text.replace('; exit 1', ' sent');

describe('retry with the current file', () => {
  test('runs the mended text with the stored outputs, and each attempt says which text it ran', async () => {
    const file = new EditedFile(text);
    const failed = await file.run();
    file.write(mended);
    expect(await file.plan(failed, {})).toMatchObject({ spec: 'run', file: { state: 'changed' } });
    expect(linesOf(await file.plan(failed))).toEqual([
      'load: keep, already succeeded',
      'tell: keep, already succeeded',
      'send: run, failed; text changed',
      'report: run, was aborted',
    ]);
    const resumed = await file.resume(failed);
    expect(resumed).toMatchObject({ status: 'succeeded', spec: mended, dagRunId: failed.dagRunId });
    expect(attemptsOf(resumed)).toEqual({ load: 1, tell: 1, send: 2, report: 1 });
    expect(stdoutOf(resumed, 'send')).toBe('rows sent\n');
    const [first, second] = resumed.steps.find(({ name }) => name === 'send')!.attempts;
    expect(first!.specHash).toMatch(/^[0-9a-f]{64}$/);
    expect(second!.specHash).toBeUndefined();
    const retried = (await eventsOf(file.engine, resumed)).find(({ event }) => event.type === 'run.retried');
    expect(retried!.event).toMatchObject({ specHash: expect.not.stringMatching(first!.specHash!) });
  });

  test('uses the text of the run by default', async () => {
    const file = new EditedFile(text);
    const failed = await file.run();
    file.write(mended);
    expect(await retry(file.engine, failed)).toMatchObject({ status: 'failed', spec: text });
  });

  test.each([
    ['a value', mended.replace('west', 'east'), 'tell: run, value of TARGET changed', { tell: 2, load: 1 }],
    [
      'dependencies',
      mended.replace('$TARGET"\', ', '$TARGET"\', depends: load, '),
      'tell: run, dependencies changed',
      { tell: 2, load: 1 },
    ],
    ['a common setting', `${mended}shell: bash -e\n`, 'load: run, shell changed', { tell: 2, load: 2 }],
    [
      'an upstream step',
      mended.replace('echo rows', 'echo 5 rows'),
      'load: run, text changed',
      { tell: 1, load: 2 },
    ],
    [
      'only details',
      mended.replace('west }]', 'west }] # there'),
      'tell: keep, already succeeded',
      { tell: 1, load: 1 },
    ],
  ])('runs what %s influences', async (_what, edited, line, attempts) => {
    const file = new EditedFile(text);
    const failed = await file.run();
    file.write(edited);
    expect(linesOf(await file.plan(failed))).toContain(line);
    const resumed = await file.resume(failed);
    expect(resumed.status).toBe('succeeded');
    expect(attemptsOf(resumed)).toMatchObject(attempts);
    file.write(edited);
    expect(resumed.outputs).toEqual((await file.run()).outputs);
  });

  test('takes changed defaults of parameters, and keeps explicit values', async () => {
    const params = (north: string): string => `
params: [{ NORTH: ${north} }, { SOUTH: s }]
type: graph
steps:
  - { name: n, command: 'echo "$NORTH"', output: N }
  - { name: s, command: 'echo "$SOUTH"', output: S }
  - { name: bad, command: ${north === 'n' ? 'exit 1' : 'echo fine'} }
`;
    const file = new EditedFile(params('n'));
    const failed = await file.run('SOUTH=here');
    file.write(params('m'));
    const resumed = await file.resume(failed);
    expect(resumed).toMatchObject({ status: 'succeeded', outputs: { N: 'm', S: 'here' } });
    expect(attemptsOf(resumed)).toEqual({ n: 2, s: 1, bad: 2 });
  });

  test('asks before results of removed and renamed steps are lost', async () => {
    const file = new EditedFile(text);
    const failed = await file.run();
    file.write(mended.replace('name: tell', 'name: say'));
    const plan = await file.plan(failed);
    expect(linesOf(plan)).toEqual([
      'load: keep, already succeeded',
      'say: new, renamed from tell',
      'send: run, failed; text changed',
      'report: run, was aborted',
      'tell: removed, renamed to say',
    ]);
    expect(plan.lost).toEqual([{ name: 'tell', renamedTo: 'say' }]);
    expect(await file.rejected(failed)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('tell (renamed to say)'),
    });
    const resumed = await file.resume(failed, { acceptRemoved: true });
    expect(statusesOf(resumed)).toEqual({
      load: 'succeeded',
      say: 'succeeded',
      send: 'succeeded',
      report: 'succeeded',
    });
  });

  test('pairs a renamed step with the new one that has its dependencies', async () => {
    const chain = (first: string, more: string): string =>
      `steps: [{ name: ${first}, command: "true" }, { name: bad, command: ${more} }]\n`;
    const file = new EditedFile(chain('one', 'exit 1'));
    const failed = await file.run();
    file.write(chain('uno', '"true" }, { name: due, command: "true"'));
    expect(linesOf(await file.plan(failed))).toEqual([
      'uno: new, renamed from one',
      'bad: run, failed; text changed',
      'due: new, new in the file',
      'one: removed, renamed to uno',
    ]);
  });

  test('starts from a step, and keeps changed steps before it', async () => {
    const file = new EditedFile(text);
    const failed = await file.run();
    file.write(mended.replace('echo rows', 'echo many'));
    expect(linesOf(await file.plan(failed, { spec: 'file', from: 'send' }))).toEqual([
      'load: keep, text changed; stays, because the retry starts at send',
      'tell: keep, already succeeded',
      'send: run, requested',
      'report: run, depends on send, which runs again',
    ]);
    const resumed = await file.resume(failed, { from: 'send' });
    expect(stdoutOf(resumed, 'report')).toBe('after rows\n');
    expect(await file.rejected(failed, { from: 'send', stepName: 'load' })).toMatchObject({
      code: 'bad_request',
    });
  });

  test('rejects an invalid file with its line, and offers the text of the run', async () => {
    const file = new EditedFile(text);
    const failed = await file.run();
    file.write('steps:\n  - { name: a, comand: x }\n');
    expect(await file.plan(failed, {})).toMatchObject({
      file: { state: 'invalid', problem: expect.stringContaining('2:') },
    });
    expect(await file.rejected(failed)).toMatchObject({ code: 'invalid_spec' });
    expect(await retry(file.engine, failed)).toMatchObject({ status: 'failed' });
  });

  test('rejects a run that came from no file', async () => {
    const file = new EditedFile(text);
    const run = await file.engine.run('steps: [exit 1]');
    expect(await file.rejected(run)).toMatchObject({ code: 'bad_request' });
  });
});

test('a step with a masked output runs again when a later step may read it', async () => {
  const steps = (last: string): string => `
type: graph
secrets: [{ name: KEY, provider: file, key: key }]
steps:
  - { name: make, command: 'echo "$KEY"', output: TOKEN }
  - { name: use, command: '${last}', depends: make }
`;
  const file = new EditedFile(steps('exit 1'));
  writeFileSync(path.join(file.engine.home, 'dags', 'key'), 's3cret-value');
  const failed = await file.run();
  expect(failed.steps[0]!.output).toEqual({ name: 'TOKEN', value: '*******' });
  file.write(steps('exit 0'));
  expect(linesOf(await file.plan(failed))).toEqual([
    'make: run, masked output is not stored, and a later step may read it',
    'use: run, failed; text changed',
  ]);
  expect(attemptsOf(await file.resume(failed))).toEqual({ make: 2, use: 2 });
});

describe('parameters', () => {
  const steps = (last: string): string => `steps:
  - { name: show, command: 'echo "$P $Q"', output: SHOWN }
  - { name: bad, command: "${last}" }
`;

  test('a default that names a variable follows it, and one that runs a command keeps its value', async () => {
    const env = (value: string): string =>
      `env: [{ A: ${value} }]\nparams: [{ P: "p $\{A}" }, { Q: "\`cat ../count\`" }]\n`;
    const file = new EditedFile(env('1') + steps('exit 1'));
    const count = path.join(file.engine.home, 'count');
    writeFileSync(count, 'one');
    const failed = await file.run();
    writeFileSync(count, 'two');
    file.write(env('2') + steps('exit 0'));
    expect((await file.resume(failed)).outputs).toEqual({ SHOWN: 'p 2 one' });
  });

  test('of a partial run keep the outputs of another run and typed parameters', async () => {
    const typed = (value: number, command: string): string => `
params: [{ name: P, type: integer, default: ${value} }]
steps:
  - { name: load, command: echo rows, output: ROWS }
  - { name: send, command: '${command}', depends: load }
`;
    const file = new EditedFile(typed(1, 'exit 1'));
    const { dagRunId: outputsFrom } = await file.run();
    const failed = await file.run(undefined, { selection: { steps: ['send'] }, outputsFrom });
    expect(failed.params).toEqual([
      { name: 'P', value: '1' },
      { name: 'ROWS', value: 'rows' },
    ]);
    file.write(typed(2, 'echo "$P $ROWS"'));
    const resumed = await file.resume(failed);
    expect(stdoutOf(resumed, 'send')).toBe('2 rows\n');
    expect(resumed.params).toEqual([
      { name: 'P', value: '2' },
      { name: 'ROWS', value: 'rows' },
    ]);
  });

  test('follows the default of a typed parameter, and leaves out a removed one', async () => {
    const typed = (rest: string): string => `params: [{ name: P, type: integer, ${rest}]\nenv: [{ Q: q }]\n`;
    const file = new EditedFile(typed('default: 1 }, { name: OLD, required: true }') + steps('exit 1'));
    const failed = await file.run('OLD=x');
    file.write(typed('default: 2 }') + steps('exit 0'));
    const resumed = await file.resume(failed);
    expect(resumed).toMatchObject({ outputs: { SHOWN: '2 q' } });
    expect(resumed.params).toEqual([{ name: 'P', value: '2' }]);
  });
});

test('a step with the name of a step that was removed before runs again', async () => {
  const steps = (first: string, last: string): string =>
    `type: graph\nsteps:\n${first}  - { name: bad, command: ${last} }\n`;
  const one = (word: string): string => `  - { name: one, command: echo ${word}, output: ONE }\n`;
  const file = new EditedFile(steps(one('old'), 'exit 1'));
  const failed = await file.run();
  file.write(steps('', 'exit 1'));
  const without = await file.resume(failed, { acceptRemoved: true });
  file.write(steps(one('new'), '"true"'));
  expect(linesOf(await file.plan(without))).toContain('one: new, new in the file');
  expect((await file.resume(without)).outputs).toEqual({ ONE: 'new' });
});

describe('items and sub-workflows', () => {
  test('only failed items run again with the mended command', async () => {
    const items = (command: string): string => `
steps:
  - { name: each, parallel: { items: [a, b, c], maxConcurrent: 1 }, command: '${command}' }
`;
    const file = new EditedFile(items('echo "$ITEM" >> seen; test "$ITEM" != b'));
    const failed = await file.run();
    expect(failed.steps[0]!.items).toMatchObject({ succeeded: 2, failed: 1 });
    file.write(items('echo "$ITEM" >> seen'));
    const resumed = await file.resume(failed);
    expect(resumed.status).toBe('succeeded');
    expect(resumed.steps[0]!.items).toMatchObject({ total: 3, succeeded: 3, failed: 0 });
  });

  test('a failed sub-workflow resumes with its mended file under its own ID', async () => {
    const parent = 'steps: [{ name: call, run: part }, { name: after, command: "true" }]\n';
    const file = new EditedFile(parent);
    const part = (last: string): string =>
      `name: part\nsteps: [{ name: one, command: echo 1 }, { name: two, command: ${last} }]\n`;
    writeFileSync(path.join(file.engine.home, 'dags', 'part.yaml'), part('exit 1'));
    const failed = await file.run();
    writeFileSync(path.join(file.engine.home, 'dags', 'part.yaml'), part('"true"'));
    expect(linesOf(await file.plan(failed))).toContain('call: run, failed; sub-workflow changed');
    const resumed = await file.resume(failed);
    expect(resumed.status).toBe('succeeded');
    const [child, ...others] = resumed.steps[0]!.subRuns;
    expect(others).toEqual([]);
    expect(attemptsOf(await file.engine.get(child!))).toEqual({ one: 1, two: 2 });
  });

  test('a sub-workflow runs again when the file of its own sub-workflow has changed', async () => {
    const parent = (last: string): string =>
      `type: graph\nsteps: [{ name: call, run: part }, { name: last, command: ${last} }]\n`;
    const file = new EditedFile(parent('exit 1'));
    const write = (name: string, content: string): void =>
      writeFileSync(path.join(file.engine.home, 'dags', `${name}.yaml`), content);
    write('part', 'name: part\nsteps: [{ name: deeper, run: inner }]\n');
    write('inner', 'name: inner\nsteps: [{ name: one, command: echo 1 }]\n');
    const failed = await file.run();
    file.write(parent('"true"'));
    expect(linesOf(await file.plan(failed))).toContain('call: keep, already succeeded');
    write('inner', 'name: inner\nsteps: [{ name: one, command: echo 2 }]\n');
    expect(linesOf(await file.plan(failed))).toContain('call: run, sub-workflow changed');
  });

  test('a sub-workflow that succeeded runs again when its file has changed', async () => {
    const parent = (last: string): string =>
      `steps: [{ name: call, run: part, output: GOT }, { name: after, command: ${last} }]\n`;
    const file = new EditedFile(parent('exit 1'));
    const part = path.join(file.engine.home, 'dags', 'part.yaml');
    writeFileSync(part, 'name: part\nsteps: [{ name: one, command: echo 1, output: N }]\n');
    const failed = await file.run();
    writeFileSync(part, 'name: part\nsteps: [{ name: one, command: echo 2, output: N }]\n');
    file.write(parent('"true"'));
    expect(linesOf(await file.plan(failed))).toContain('call: run, sub-workflow changed');
    const resumed = await file.resume(failed);
    expect(resumed.steps[0]!.output).toMatchObject({ value: { outputs: { N: '2' } } });
  });
});
