import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDryRuns } from '../../../../core/open-dry-runs.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { testCaller, TestEngine } from '../../../harness/engine.ts';
import { planOf, snapshot } from '../run-harness.ts';

const busy = `
name: busy
params: [{ A: "\`touch made-by-a-parameter\`" }]
env: [{ B: "\`touch made-by-env\`" }]
workingDir: not/there
logDir: logs-of-its-own
delaySec: 3600
preconditions: ["touch made-by-a-condition"]
steps:
  - { name: a, command: touch made, dir: deeper, stdout: copy.log, preconditions: ["touch made-too"] }
  - { name: b, script: "touch made", parallel: ["\`touch made-by-an-item\`", y] }
  - { name: c, run: child }
handlerOn: { init: touch made, exit: touch made }
---
name: child
workingDir: child/dir
steps: [touch made]`;

/** A home with the workflow \`busy\`, and an engine on it that is called by its operations. */
async function openBusy() {
  const engine = new TestEngine();
  writeFileSync(path.join(engine.home, 'dags', 'busy.yaml'), busy);
  await engine.run('name: before\nsteps: ["true"]');
  return engine;
}

test('writes nothing: no run, no log, no directory, and runs no command', async () => {
  const engine = await openBusy();
  const before = snapshot(engine.home);
  const view = await engine.host.api.call('dags.dry', { fileName: 'busy' }, testCaller);
  expect(view).toMatchObject({ name: 'busy', runnable: true, ranSubstitutions: false });
  expect(planOf(view).workingDir).toEqual({ value: path.join(engine.home, 'dags/not/there'), exists: false });
  expect(view.plans).toHaveLength(2);
  expect(snapshot(engine.home)).toEqual(before);
  const { dagRuns } = await engine.host.api.call('runs.list', {}, testCaller);
  expect(dagRuns.map(({ name }) => name)).toEqual(['before']);
});

test('does not create a missing home', async () => {
  const folder = makeTemporaryFolder();
  const file = path.join(folder, 'busy.yaml');
  writeFileSync(file, busy);
  mkdirSync(path.join(folder, 'empty'));
  const before = snapshot(folder);
  const view = await openDryRuns({ home: path.join(folder, 'home'), clock: new FakeClock() })({
    source: { file },
  });
  expect(view.runnable).toBe(true);
  expect(snapshot(folder)).toEqual(before);
});

test('operations reject what a start rejects', async () => {
  const { api } = (await openBusy()).host;
  await expect(api.call('dags.dry', { fileName: 'nothing' }, testCaller)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(api.call('runs.dry', { spec: 'steps: 3' }, testCaller)).rejects.toMatchObject({
    code: 'invalid_spec',
    details: { diagnostics: [expect.objectContaining({ line: 1 })] },
  });
});

test('resolves text under the requested name and with the requested parameters', async () => {
  const { api } = new TestEngine().host;
  const spec =
    'name: inline\nparams: [{ A: 1 }]\nsteps: [{ name: s, command: [show, "${A}", "${DAG_NAME}", "`echo 7`"] }]';
  const view = await api.call(
    'runs.dry',
    { spec, name: 'other', params: 'A=2', runSubstitutions: true },
    testCaller,
  );
  expect(view.name).toBe('other');
  expect(planOf(view).steps[0]?.action).toEqual({
    kind: 'argv',
    argv: [{ value: 'show' }, { value: '2' }, { value: 'other' }, { value: '7' }],
  });
});
