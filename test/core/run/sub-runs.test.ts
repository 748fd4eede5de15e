import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { TestEngine, testCaller, stdoutOf } from '../../harness/engine.ts';

const child = (name: string, said: string): string =>
  `name: ${name}\nsteps: [{ command: echo ${said}, output: SAID }]\n`;

describe('step that runs another workflow', () => {
  test('finds it in its own file first, then by name in the directory, then by path', async () => {
    const engine = new TestEngine();
    const dags = path.join(engine.home, 'dags');
    const elsewhere = path.join(makeTemporaryFolder(), 'work');
    mkdirSync(elsewhere);
    writeFileSync(path.join(dags, 'twice.yaml'), child('twice', 'folder'));
    writeFileSync(path.join(dags, 'file-name.yaml'), child('inner-name', 'folder'));
    writeFileSync(path.join(elsewhere, 'beside.yaml'), child('beside', 'beside'));
    const file = path.join(elsewhere, 'parent.yaml');
    writeFileSync(
      file,
      `
steps:
  - { name: same file, run: twice, output: A }
  - { name: file name, run: file-name, output: B }
  - { name: workflow name, run: inner-name, output: C }
  - { name: path, run: ./beside.yaml, output: D }
---
${child('twice', 'own')}`,
    );
    const run = await engine.host.startRun({ source: { file }, trigger: 'cli' });
    const view = await engine.end(run);
    expect(view).toMatchObject({
      status: 'succeeded',
      outputs: {
        A: { name: 'twice', outputs: { SAID: 'own' } },
        B: { name: 'inner-name', outputs: { SAID: 'folder' } },
        C: { name: 'inner-name', outputs: { SAID: 'folder' } },
        D: { name: 'beside', outputs: { SAID: 'beside' } },
      },
    });
    const listed = await engine.host.api.call('runs.subRuns', run, testCaller);
    expect(
      listed.subRuns.map(({ name, parent, root, trigger }) => ({ name, parent, root, trigger })),
    ).toEqual(
      ['twice', 'inner-name', 'inner-name', 'beside'].map((name, index) => ({
        name,
        trigger: 'parent',
        parent: { ...run, step: ['same file', 'file name', 'workflow name', 'path'][index] },
        root: run,
      })),
    );
  });

  test('passes parameters and gets results that later steps can read', async () => {
    const view = await new TestEngine().run(`
env: { CITY: Oslo }
steps:
  - { name: sub, run: child, params: "WHO=ann PLACE=\${CITY}", output: RESULT }
  - { name: show, command: 'echo "\${RESULT.outputs.SAID} \${RESULT.name} \${RESULT.params.PLACE}"' }
  - { name: argv, command: [echo, "\${RESULT.outputs.SAID}"] }
---
name: child
params: WHO=nobody PLACE=nowhere MORE=default
steps: [{ command: 'echo "$WHO in $PLACE, $MORE"', output: SAID }]`);
    expect(stdoutOf(view, 'show')).toBe('ann in Oslo, default child Oslo\n');
    expect(stdoutOf(view, 'argv')).toBe('ann in Oslo, default\n');
    expect(view.outputs['RESULT']).toEqual({
      name: 'child',
      dagRunId: view.steps[0]!.subRuns[0]!.dagRunId,
      status: 'succeeded',
      params: 'WHO=ann PLACE=Oslo MORE=default',
      paramsMap: { WHO: 'ann', PLACE: 'Oslo', MORE: 'default' },
      outputs: { SAID: 'ann in Oslo, default' },
    });
    expect(JSON.parse(stdoutOf(view, 'sub'))).toEqual(view.outputs['RESULT']);
  });

  test('is partially successful, or fails, as the other run does', async () => {
    const view = await new TestEngine().run(`
type: graph
steps:
  - { name: partly, run: half }
  - { name: wholly, run: bad }
---
name: half
steps: [{ command: exit 1, continueOn: failed }, { command: "true" }]
---
name: bad
steps: [{ name: broken, command: exit 7 }]`);
    const [partly, wholly] = view.steps;
    expect(partly).toMatchObject({ status: 'partially_succeeded' });
    expect(wholly).toMatchObject({
      status: 'failed',
      error: `run ${wholly!.subRuns[0]!.dagRunId} of bad failed: step "broken" failed: exit code 7`,
    });
    expect(view.status).toBe('failed');
  });

  test('fails and lists what was searched if it is missing or invalid', async () => {
    const engine = new TestEngine();
    writeFileSync(path.join(engine.home, 'dags', 'broken.yaml'), 'steps: [{ comand: x }]\n');
    const view = await engine.run(`
type: graph
steps:
  - { name: missing, run: nowhere }
  - { name: broken, run: broken }`);
    expect(view.steps.map(({ status, error }) => ({ status, error }))).toEqual([
      {
        status: 'failed',
        error: expect.stringMatching(
          /Workflow "nowhere" not found in this file or the workflow folder, and.*nowhere/,
        ),
      },
      { status: 'failed', error: expect.stringMatching(/broken\.yaml:1:11: .*comand/) },
    ]);
  });

  test('can call itself only up to a depth limit', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      'name: loop\nsteps: [{ name: again, run: loop }]\n---\nname: other\nsteps: ["true"]',
    );
    expect(view.status).toBe('failed');
    const { dagRuns } = await engine.host.api.call(
      'runs.list',
      { name: 'loop', subRuns: true, limit: 1000 },
      testCaller,
    );
    expect(dagRuns).toHaveLength(33);
    expect(dagRuns[0]!.error).toContain(
      'step "again" failed: Workflows are nested more than 32 levels deep. Check whether "loop" runs itself.',
    );
    // None of them is left over.
    expect(new Set(dagRuns.map(({ status }) => status))).toEqual(new Set(['failed']));
    expect(engine.host.activeExecutions()).toEqual([]);
  });

  test('is retried with the failed run, which continues', async () => {
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const view = await engine.run(
      `
steps: [{ name: sub, run: child, retryPolicy: { limit: 1, intervalSec: 0 } }]
---
name: child
steps: [{ command: 'echo x >> tries; test $(wc -l < tries) -ge 2' }]`,
      { defaultWorkingDir: folder },
    );
    expect(view.steps[0]).toMatchObject({ status: 'succeeded', attempts: [{}, {}] });
    expect(view.steps[0]!.subRuns).toHaveLength(1);
    const subRun = await engine.get(view.steps[0]!.subRuns[0]!);
    expect(subRun.steps[0]).toMatchObject({ status: 'succeeded', attempts: [{}, {}] });
  });

  test('is not limited by maxActiveRuns of the other workflow', async () => {
    const view = await new TestEngine().run(`
type: graph
steps: [{ name: a, run: child }, { name: b, run: child }]
---
name: child
maxActiveRuns: 1
steps: ["true"]`);
    expect(view.status).toBe('succeeded');
  });
});
