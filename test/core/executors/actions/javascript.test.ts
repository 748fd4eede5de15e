import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runStep, type StepChoice } from '../step-harness.ts';
import { ActionServerFolder, appendTo, javaScript, actionStep, writeFiles } from './action-harness.ts';

/** Runs a program as the main part of an action of the working directory. */
async function runProgram(program: string, manifest = '', options: RunOptions = {}) {
  return runFiles(javaScript(program, manifest), options);
}

interface RunOptions extends StepChoice {
  readonly inputs?: Record<string, string>;
}

async function runFiles(files: Record<string, string>, { inputs, ...choice }: RunOptions = {}) {
  const server = new ActionServerFolder();
  const folder = join(server.folder, 'here');
  writeFiles(join(folder, 'it'), files);
  return runStep(actionStep('./it', { inputs: inputs ?? {} }), { workingDir: folder, ...choice });
}

describe('JavaScript action', () => {
  test('runs from a repository with its inputs, and its outputs are the output of the step', async () => {
    const server = new ActionServerFolder();
    const commit = server.commit(
      'octo/hello',
      javaScript(
        `console.log('Hello ' + process.env['INPUT_WHO-TO-GREET'] + process.env.INPUT_END);\n${appendTo('GITHUB_OUTPUT', 'time=noon\nlong<<EOF\na\nb\nEOF\n')}`,
        'inputs: {who-to-greet: {required: true}, end: {default: "!"}}',
      ),
      'v1',
    );
    const { end, stdout, stderr, step } = await runStep(
      actionStep('octo/hello@v1', {
        inputs: { 'Who-To-Greet': 'Ada' },
        config: { githubInstance: server.url },
      }),
    );
    expect(end).toEqual({ exitCode: 0, output: { time: 'noon', long: 'a\nb' } });
    expect(stdout).toBe('Hello Ada!\n');
    expect(stderr).toBe(`octo/hello@v1 resolved to commit ${commit}\n`);
    expect(existsSync(join(step.attemptDir, 'action'))).toBe(false);
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('sees its location and context', async () => {
    const { stdout } = await runProgram(
      `const e = process.env;
       console.log(JSON.stringify({ cwd: process.cwd() === e.GITHUB_WORKSPACE, here: e.GITHUB_ACTION_PATH === __dirname,
         temp: require('node:fs').statSync(e.RUNNER_TEMP).isDirectory(), tools: require('node:fs').statSync(e.RUNNER_TOOL_CACHE).isDirectory(),
         ci: e.CI, actions: e.GITHUB_ACTIONS, server: e.GITHUB_SERVER_URL, api: e.GITHUB_API_URL, workflow: e.GITHUB_WORKFLOW,
         run: e.GITHUB_RUN_ID, job: e.GITHUB_JOB, repository: e.GITHUB_REPOSITORY,
         event: JSON.parse(require('node:fs').readFileSync(e.GITHUB_EVENT_PATH, 'utf8')) }));`,
      '',
      { env: { DAG_NAME: 'nightly', DAG_RUN_ID: 'r1', GITHUB_REPOSITORY: 'me/mine' } },
    );
    expect(JSON.parse(stdout)).toEqual({
      cwd: true,
      here: true,
      temp: true,
      tools: true,
      ci: 'true',
      actions: 'true',
      server: 'https://github.com',
      api: 'https://api.github.com',
      workflow: 'nightly',
      run: 'r1',
      job: 'step',
      repository: 'me/mine',
      event: {},
    });
  });

  test('runs pre and post around its main part, with saved state', async () => {
    const { end, stdout } = await runFiles({
      'action.yml':
        'runs: {using: node20, pre: pre.js, main: main.js, post: post.js, post-if: "!cancelled()"}\n',
      'pre.js': `console.log('pre'); ${appendTo('GITHUB_STATE', 'token=7\n')}`,
      'main.js': "console.log('main ' + process.env.STATE_token); console.log('::save-state name=more::8');",
      'post.js': "console.log('post ' + process.env.STATE_token + process.env.STATE_more);",
    });
    expect(end).toEqual({ exitCode: 0, output: {} });
    expect(stdout).toBe('pre\nmain 7\npost 78\n');
  });

  test('cleans up after a failure, and reports its own error message', async () => {
    const { end, stdout } = await runFiles({
      'action.yml': 'runs: {using: node24, main: main.js, post: post.js}\n',
      'main.js': "console.log('::error file=a.js,line=3,title=Lint::bad%0Aworse'); process.exit(3);",
      'post.js': "console.log('cleaned');",
    });
    expect(end).toEqual({ exitCode: 3, error: 'exit code 3: a.js:3: Lint: bad\nworse', output: {} });
    expect(stdout).toBe('Error: a.js:3: Lint: bad\nworse\ncleaned\n');
  });

  test.each([
    ['pre-if: "false"', 'main\npost\n'],
    ['post-if: failure()', 'pre\nmain\n'],
    ["pre-if: runner.os == 'Plan9'", 'main\npost\n'],
  ])('skips parts whose condition is false: %s', async (condition, shown) => {
    const { stdout } = await runFiles({
      'action.yml': `runs:\n  using: node20\n  pre: pre.js\n  main: main.js\n  post: post.js\n  ${condition}\n`,
      'pre.js': "console.log('pre')",
      'main.js': "console.log('main')",
      'post.js': "console.log('post')",
    });
    expect(stdout).toBe(shown);
  });

  test('reports the end of stderr when it has no error message', async () => {
    const { end } = await runProgram("console.error('no such thing'); process.exitCode = 1;");
    expect(end).toMatchObject({ exitCode: 1, error: 'exit code 1: no such thing' });
  });

  test('writes its summary to the log', async () => {
    const { stdout } = await runProgram(appendTo('GITHUB_STEP_SUMMARY', '# All well\n'));
    expect(stdout).toBe('Summary:\n# All well\n');
  });

  test('reads a truncated output as far as possible, and fails', async () => {
    const { end } = await runProgram(appendTo('GITHUB_OUTPUT', 'a=1\nb<<END\nc\n'));
    expect(end.error).toBe('GITHUB_OUTPUT: the value of "b" has no end: missing line "END"');
  });

  test('cannot override what the runner sets', async () => {
    const { end } = await runProgram(appendTo('GITHUB_ENV', 'NODE_OPTIONS=--require=evil.js\n'));
    expect(end.error).toContain('the action wrote NODE_OPTIONS to GITHUB_ENV');
  });
});

describe('action inputs', () => {
  const manifest =
    "inputs: {level: {required: true, description: How loud}, token: {default: '${{ github.token }}'}, old: {deprecationMessage: use level}}";
  const show =
    'console.log([process.env.INPUT_LEVEL, process.env.INPUT_TOKEN, process.env.INPUT_OLD].join());';

  test('have defaults with expressions', async () => {
    const { stdout } = await runProgram(show, manifest, {
      inputs: { level: '2' },
      env: { GITHUB_TOKEN: 't0' },
    });
    expect(stdout).toBe('2,t0,\n');
  });

  test('are validated when required', async () => {
    const { end } = await runProgram(show, manifest, { inputs: { levle: '2' } });
    expect(end.error).toBe(
      'action ./it requires the input "level" (How loud). Did you mean "levle" in "params"?',
    );
  });

  test('are passed on with a warning when they are unknown or deprecated', async () => {
    const { end, stderr } = await runProgram(show, manifest, { inputs: { level: '2', tokn: 'x', old: '1' } });
    expect(end.exitCode).toBe(0);
    expect(stderr).toBe(
      'Warning: input "old" of ./it is deprecated: use level\nWarning: Unknown input "tokn" of ./it. Did you mean "token"?\n',
    );
  });
});

describe('an action that cannot run', () => {
  test.each([
    [
      {},
      /^Action \.\/it not found: the folder .*it has no action\.yml, action\.yaml or Dockerfile\. For an action in a subfolder, use owner\/name\/folder@ref\./,
    ],
    [{ 'action.yml': 'name: [' }, /Invalid YAML in .*action\.yml: /],
    [{ 'action.yml': 'name: a' }, /action\.yml: runs is missing\. It defines how the action runs\./],
    [
      { 'action.yml': 'runs: {using: go}' },
      /runs\.using is "go", but only node20, node24, composite and docker are supported\./,
    ],
    [
      { 'action.yml': 'runs: {using: node20}' },
      /runs\.main is missing: set the main program of the action\./,
    ],
    [
      { 'action.yml': 'runs: {using: node20, main: dist/index.js}' },
      /\.\/it has no file .*index\.js \(runs\.main in .*action\.yml\)\. Use a release/,
    ],
    [
      { 'action.yml': 'runs: {using: composite, steps: [{run: ls}]}' },
      /runs\.steps\[0\]\.shell is missing: steps of composite actions require a shell, such as bash\./,
    ],
    [
      { 'action.yml': 'runs: {using: composite, steps: [{shell: bash}]}' },
      /runs\.steps\[0\]\.run or "uses" is required, but not both\./,
    ],
    [
      { 'action.yml': "inputs: {a: {default: '${{ nope.x }}'}}\nruns: {using: node20, main: main.js}" },
      /Invalid expression "nope\.x", at character 1: Unrecognized named-value: 'nope'\./,
    ],
  ])('says why: %j', async (files: Record<string, string>, message) => {
    const { end, step } = await runFiles({ 'README.md': '', ...files });
    expect(end.error).toMatch(message);
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('reports a missing Node when there is none on PATH, and uses the one of the engine', async () => {
    const { stdout } = await runProgram('console.log(process.version)', '', {
      env: { PATH: '/nonexistent' },
    });
    expect(stdout).toBe(`${process.version}\n`);
  });
});

test('deletes the command files of an action with it', async () => {
  const { end, step } = await runProgram(
    "require('node:fs').writeFileSync(process.env.RUNNER_TEMP + '/left', '');",
  );
  expect(end.exitCode).toBe(0);
  expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
});
