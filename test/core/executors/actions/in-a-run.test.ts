import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestEngine, statusesOf, stdoutOf } from '../../../harness/engine.ts';
import { ActionServerFolder, appendTo, composite, javaScript } from './action-harness.ts';

test('passes outputs of an action to later steps, and caches it in the home', async () => {
  const server = new ActionServerFolder();
  server.commit(
    'o/a',
    javaScript(
      `${appendTo('GITHUB_OUTPUT', 'city=Oslo\n')}console.log(process.env.INPUT_NAME);`,
      'inputs: {name: {}}',
    ),
    'v1',
  );
  const engine = new TestEngine();
  const view = await engine.run(`
env: [{WHO: Ada}, {SERVER: "${server.url}"}, {VERSION: v1}]
steps:
  - name: act
    type: github-action
    command: o/a@\${VERSION}
    config: {githubInstance: "\${SERVER}"}
    params: {name: "\${WHO} L."}
    output: RESULT
  - name: use
    command: echo "\${RESULT.city}"
    depends: act
`);
  expect(statusesOf(view)).toEqual({ act: 'succeeded', use: 'succeeded' });
  expect(stdoutOf(view, 'act')).toBe('Ada L.\n');
  expect(stdoutOf(view, 'use')).toBe('Oslo\n');
  expect(view.outputs).toEqual({ RESULT: { city: 'Oslo' } });
});

test('masks values of an action in later steps, outputs and sub-workflows', async () => {
  const server = new ActionServerFolder();
  server.commit(
    'o/a',
    composite(
      '- {id: s, shell: bash, run: "echo ::add-mask::hush-hush; echo word=hush-hush >> $GITHUB_OUTPUT"}',
      'outputs: {word: {value: "${{ steps.s.outputs.word }}"}}',
    ),
    'v1',
  );
  const engine = new TestEngine();
  const view = await engine.run(`
name: masks
steps:
  - name: act
    type: gha
    command: o/a@v1
    config: {githubInstance: "${server.url}"}
    output: RESULT
  - name: use
    command: echo "got \${RESULT.word}"
    depends: act
  - name: below
    run: child
    params: {W: "\${RESULT.word}"}
    depends: act
---
name: child
params: {W: ""}
steps:
  - name: tell
    command: echo "child \${W}"
`);
  expect(statusesOf(view)).toEqual({ act: 'succeeded', use: 'succeeded', below: 'succeeded' });
  expect(stdoutOf(view, 'use')).toBe('got *******\n');
  expect(view.outputs).toEqual({ RESULT: { word: '*******' } });
  const [child] = view.steps.find(({ name }) => name === 'below')!.subRuns;
  const childView = await engine.get({ name: child!.name, dagRunId: child!.dagRunId });
  expect(stdoutOf(childView, 'tell')).toBe('child *******\n');
});

test('retries a failed action', async () => {
  const server = new ActionServerFolder();
  server.commit(
    'o/a',
    javaScript(
      "const fs = require('node:fs'); if (!fs.existsSync('once')) { fs.writeFileSync('once', ''); process.exit(1); }",
    ),
    'v1',
  );
  const engine = new TestEngine();
  const view = await engine.run(`
workingDir: ${join(server.folder, 'work')}
steps:
  - name: act
    type: gha
    command: o/a@v1
    config: {githubInstance: "${server.url}"}
    retryPolicy: {limit: 2, intervalSec: 1}
`);
  expect(statusesOf(view)).toEqual({ act: 'succeeded' });
  expect(view.steps[0]!.attempts).toHaveLength(2);
});
