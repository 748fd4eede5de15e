import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { statusesOf, testCaller, TestEngine } from '../../../harness/engine.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

test('stores files of a local step with the run, and provides them to later steps', async () => {
  const engine = new TestEngine();
  const folder = makeTemporaryFolder();
  const run = await engine.run(`
workingDir: ${folder}
steps:
  - name: make
    dir: first
    command: mkdir -p plots; echo one > plots/a.png; echo two > plots/b.png; echo m > model.bin
    outputFiles: [model.bin, 'plots/*.png']
  - name: use
    dir: second
    command: cat model.bin plots/b.png
    inputFiles: [model.bin, plots/b.png]
    output: SEEN
`);
  expect(run).toMatchObject({ status: 'succeeded', outputs: { SEEN: 'm\ntwo' } });
  expect(readFileSync(path.join(run.logDir!, 'artifacts/plots/a.png'), 'utf8')).toBe('one\n');
  const { name, dagRunId } = run;
  const listed = await engine.host.api.call('runs.artifacts', { name, dagRunId }, testCaller);
  expect(listed.folder).toBe(path.join(run.logDir!, 'artifacts'));
  expect(listed.artifacts.map((file) => `${file.name} ${file.bytes}`)).toEqual([
    'model.bin 2',
    'plots/a.png 4',
    'plots/b.png 4',
  ]);
});

test('a missing file fails the step, with its name', async () => {
  const engine = new TestEngine();
  const run = await engine.run(`
type: graph
steps:
  - { name: made, command: 'true', outputFiles: report.html, continueOn: failed }
  - { name: asked, command: touch ran, inputFiles: model.bin }
  - { name: failing, command: exit 3, outputFiles: report.html }
`);
  expect(statusesOf(run)).toEqual({ made: 'failed', asked: 'failed', failing: 'failed' });
  const [made, asked, failing] = run.steps;
  expect(made!.error).toContain('outputFiles: no file matches "report.html"');
  expect(asked!.error).toContain('inputFiles: the run has no artifact "model.bin"');
  expect(failing).toMatchObject({ exitCode: 3 });
  expect(failing!.error ?? '').not.toContain('outputFiles');
});

test('a step that works in the artifact directory itself leaves it unchanged', async () => {
  const engine = new TestEngine();
  const folder = makeTemporaryFolder();
  mkdirSync(path.join(folder, 'own'));
  writeFileSync(path.join(folder, 'own/a.txt'), 'mine');
  const run = await engine.run(`
workingDir: ${folder}
steps:
  - { command: 'true', dir: own, outputFiles: a.txt }
  - command: cat a.txt
    dir: \${FOLDER}
    env: [{ FOLDER: '\`dirname $DAG_RUN_LOG_FILE\`/artifacts' }]
    inputFiles: a.txt
    outputFiles: a.txt
    output: SEEN
`);
  expect(run).toMatchObject({ status: 'succeeded', outputs: { SEEN: 'mine' } });
});
