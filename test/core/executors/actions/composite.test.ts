import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runStep, type StepChoice } from '../step-harness.ts';
import {
  ActionServerFolder,
  appendTo,
  composite,
  indent,
  javaScript,
  actionStep,
  writeFiles,
} from './action-harness.ts';

interface RunOptions extends StepChoice {
  readonly inputs?: Record<string, string>;
  /** Further files next to the action's directory. */
  readonly files?: Record<string, string>;
}

/** Runs the steps as a composite action of the working directory. */
async function runSteps(steps: string, rest = '', { inputs, files, ...choice }: RunOptions = {}) {
  const server = new ActionServerFolder();
  const folder = join(server.folder, 'here');
  writeFiles(join(folder, 'it'), composite(steps, rest));
  writeFiles(folder, files ?? {});
  return runStep(actionStep('./it', { inputs: inputs ?? {} }), { workingDir: folder, ...choice });
}

/** Lines of the log without the titles of steps. */
const linesOf = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('▸'));

describe('composite action', () => {
  test('runs its steps in their shells, with inputs, variables, directories and outputs of earlier steps', async () => {
    const { end, stdout } = await runSteps(
      `- id: first
  shell: bash
  env: {GREETING: "Hello \${{ inputs.who }}"}
  run: |
    echo "$GREETING"
    echo "n=\${#GREETING}" >> "$GITHUB_OUTPUT"
    echo "LATER=yes" >> "$GITHUB_ENV"
    mkdir -p sub bin && printf '#!/bin/sh\\necho tool\\n' > bin/my-tool && chmod +x bin/my-tool
    echo "$PWD/bin" >> "$GITHUB_PATH"
- shell: sh
  working-directory: sub
  run: echo "$LATER \${{ env.LATER }} \${{ steps.first.outputs.n }} $(basename "$PWD")"; my-tool
- shell: python3 {0}
  run: print(1 + 1)`,
      `inputs: {who: {default: world}}
outputs: {length: {value: "\${{ steps.first.outputs.n }}"}, state: {value: "\${{ steps.first.outcome }}"}}`,
      { inputs: { who: 'Ada' } },
    );
    expect(linesOf(stdout)).toEqual(['Hello Ada', 'yes yes 9 sub', 'tool', '2']);
    expect(end).toEqual({ exitCode: 0, output: { length: '9', state: 'success' } });
  });

  test('names the failed step, and runs only later steps whose condition allows it', async () => {
    const { end, stdout } = await runSteps(`- {name: breaks, id: b, shell: bash, run: "false | true"}
- {shell: bash, run: echo never}
- {shell: bash, if: failure(), run: "echo after \${{ steps.b.outcome }}"}
- {shell: bash, if: "\${{ always() && github.action_status == 'failure' }}", run: echo always}`);
    expect(linesOf(stdout)).toEqual(['after failure', 'always']);
    expect(end).toEqual({ exitCode: 1, error: '"breaks" of ./it: exit code 1', output: {} });
  });

  test('continues after a step with continue-on-error', async () => {
    const { end, stdout, stderr } = await runSteps(
      `- {id: b, shell: bash, continue-on-error: true, run: exit 4}
- {shell: bash, run: "echo \${{ steps.b.outcome }} \${{ steps.b.conclusion }}"}`,
    );
    expect(linesOf(stdout)).toEqual(['failure success']);
    expect(stderr).toContain('Warning: "exit 4" failed, continuing: exit code 4');
    expect(end.exitCode).toBe(0);
  });

  test.each([
    ["inputs.flag == 'true'", 'yes'],
    ['${{ inputs.flag }}', 'yes'],
    ["contains(fromJSON('[1, 2]'), 2) && startsWith(runner.os, 'Lin')", 'yes'],
    ["${{ inputs.flag }} == 'false'", 'no'],
    ["inputs.missing || ''", 'no'],
    ['cancelled()', 'no'],
  ])('runs a step with `if: %s`: %s', async (condition, expected) => {
    const { stdout } = await runSteps(
      `- {shell: bash, if: ${JSON.stringify(condition)}, run: echo yes}`,
      'inputs: {flag: {default: "true"}}',
    );
    expect(linesOf(stdout)).toEqual(expected === 'yes' ? ['yes'] : []);
  });

  test('uses actions of the server and of the working directory, each with its own inputs and outputs', async () => {
    const server = new ActionServerFolder();
    server.commit(
      'octo/inner',
      {
        'part/action.yml':
          'inputs: {n: {}}\nruns: {using: node20, pre: pre.js, main: main.js, post: post.js}\n',
        'part/pre.js': "console.log('pre of inner');",
        'part/main.js': `console.log('inner ' + process.env.INPUT_N + ' ' + process.env.WITH + ' ' + process.env.GITHUB_ACTION_REPOSITORY + ' ' + process.env.GITHUB_ACTION_REF);\n${appendTo('GITHUB_OUTPUT', 'twice=2\n')}`,
        'part/post.js': "console.log('post of inner');",
      },
      'v2',
    );
    server.commit(
      'octo/outer',
      composite(
        `- id: make
  shell: bash
  run: |
    mkdir -p made
    printf 'runs: {using: composite, steps: [{shell: bash, run: echo made on the way}]}' > made/action.yml
- id: inner
  uses: octo/inner/part@v2
  env: {WITH: "\${{ inputs.x }}!"}
  with: {n: "\${{ inputs.x }}"}
- uses: ./made
- shell: bash
  run: echo "[$INPUT_X$INPUT_N$WITH]"`,
        'inputs: {x: {}}\noutputs: {all: {value: "${{ toJSON(steps.inner.outputs) }}"}}',
      ),
      'v1',
    );
    const { end, stdout } = await runStep(
      actionStep('octo/outer@v1', { inputs: { x: '5' }, config: { githubInstance: server.url } }),
    );
    expect(linesOf(stdout)).toEqual([
      'pre of inner',
      'inner 5 5! octo/inner v2',
      'made on the way',
      '[]',
      'post of inner',
    ]);
    expect(end.output).toEqual({ all: '{\n  "twice": "2"\n}' });
  });

  test('runs nothing when an action that it uses is unavailable', async () => {
    const server = new ActionServerFolder();
    server.commit('octo/outer', composite('- {shell: bash, run: echo ran}\n- {uses: octo/gone@v1}'), 'v1');
    const { end, stdout } = await runStep(
      actionStep('octo/outer@v1', { config: { githubInstance: server.url } }),
    );
    expect(stdout).toBe('');
    expect(end.error).toContain('Cannot fetch the action octo/gone@v1 from');
  });

  test.each(['octo/circle@main', './circle'])('ends when it uses itself: %s', async (name) => {
    const server = new ActionServerFolder();
    const files = composite(`- {uses: ${name}}`);
    server.commit('octo/circle', files);
    writeFiles(join(server.folder, 'circle'), files);
    const { end } = await runStep(actionStep(name, { config: { githubInstance: server.url } }), {
      workingDir: server.folder,
    });
    expect(end.error).toMatch(/actions are nested more than 10 levels deep, or recursive: /);
  });

  test('lists the supported shells', async () => {
    const { end } = await runSteps('- {shell: fishy, run: ls}');
    expect(end.error).toMatch(/^"ls" of \.\/it: Unknown shell "fishy"\./);
  });

  test('hashes files of the working directory', async () => {
    const { end } = await runSteps(
      '- {shell: bash, run: ":"}',
      `outputs:\n${indent(
        `some: {value: "\${{ hashFiles('**/*.lock', '!skip/**') }}"}
one: {value: "\${{ hashFiles('a.lock') }}"}
none: {value: "\${{ hashFiles('*.nothing') }}"}`,
        2,
      )}`,
      { files: { 'a.lock': 'a', 'deep/b.lock': 'b', 'skip/c.lock': 'c' } },
    );
    // SHA-256 of the SHA-256 of "a", and of those of "a" and "b".
    expect(end.output).toEqual({
      one: 'bf5d3affb73efd2ec6c36ad3112dd933efed63c4e1cbffcfa88e2759c144f2d8',
      some: 'e5a01fee14e0ed5c48714f22180f25ad8365b53f9779f79dc4a3d7e93963f94a',
      none: '',
    });
  });
});

test('a JavaScript action inside an action gets its inputs by expressions', async () => {
  const { stdout } = await runSteps(
    `- uses: ./js
  with: {text: "\${{ format('{0}-{1}', inputs.a, github.job) }}"}`,
    'inputs: {a: {default: "1"}}',
    {
      files: Object.fromEntries(
        Object.entries(javaScript('console.log(process.env.INPUT_TEXT)', 'inputs: {text: {}}')).map(
          ([name, text]) => [`js/${name}`, text],
        ),
      ),
    },
  );
  expect(linesOf(stdout)).toEqual(['1-step']);
});
