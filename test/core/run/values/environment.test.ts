import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { TestEngine, stdoutOf } from '../../../harness/engine.ts';
import { toVariables } from '../run-harness.ts';

/** Names and prefixes that reach a step automatically. */
const passed = /^(PATH|HOME|LANG|TZ|SHELL|ENGINE_.*|LC_.*|DAG_.*)$/;

describe('environment of a step', () => {
  test('contains passed-through and declared variables, and nothing else of the engine’s own', async () => {
    for (const [name, value] of Object.entries({
      AWS_SECRET: 'hidden',
      USER: 'somebody',
      LANG: 'C.UTF-8',
      TZ: 'Asia/Tokyo',
      SHELL: '/bin/zsh',
      ENGINE_FLAG: 'a',
      LC_TIME: 'b',
      DAG_COLOUR: 'c',
    }))
      vi.stubEnv(name, value);
    const view = await new TestEngine().run(`
env:
  - DECLARED: \${AWS_SECRET}
steps:
  - { name: show, command: env }
handlerOn: { exit: env }`);
    for (const name of ['show', 'onExit']) {
      const variables = toVariables(view, name);
      expect(variables).toMatchObject({
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LANG: 'C.UTF-8',
        TZ: 'Asia/Tokyo',
        SHELL: '/bin/zsh',
        ENGINE_FLAG: 'a',
        LC_TIME: 'b',
        DAG_COLOUR: 'c',
        DECLARED: 'hidden',
      });
      // The run has its own trace; the shell adds the rest.
      const own = new Set(['DECLARED', 'TRACEPARENT', 'PWD', 'OLDPWD', 'SHLVL', '_']);
      expect(Object.keys(variables).filter((each) => !passed.test(each) && !own.has(each))).toEqual([]);
    }
  });

  test('of a sub-DAG is filtered in the same way', async () => {
    vi.stubEnv('AWS_SECRET', 'hidden');
    const engine = new TestEngine();
    const view = await engine.run(`
env: { DECLARED: parent }
steps: [{ name: sub, run: child }]
---
name: child
steps: [{ name: show, command: env }]`);
    const child = await engine.get(view.steps[0]!.subRuns[0]!);
    const variables = toVariables(child, 'show');
    expect(variables).not.toHaveProperty('AWS_SECRET');
    expect(variables).toMatchObject({ DAG_NAME: 'child', DAG_RUN_ID: child.dagRunId });
  });

  test('has layers: system, env, outputs, parameters, the run’s own, the step’s own', async () => {
    vi.stubEnv('ENGINE_A', 'system');
    vi.stubEnv('ENGINE_B', 'system');
    const view = await new TestEngine().run(
      `
name: layers
env: { ENGINE_B: env, C: env, D: env, E: env }
steps:
  - { command: echo output, output: C }
  - { command: echo output, output: D }
  - { name: show, command: env, env: { E: step, DAG_RUN_STEP_NAME: step } }`,
      { params: ['D=param', 'E=param', 'DAG_NAME=param'] },
    );
    expect(toVariables(view, 'show')).toMatchObject({
      ENGINE_A: 'system',
      ENGINE_B: 'env',
      C: 'output',
      D: 'param',
      E: 'step',
      DAG_NAME: 'layers',
      DAG_RUN_STEP_NAME: 'step',
    });
  });

  test('names the run, its log and the step', async () => {
    const view = await new TestEngine().run(`
name: named
steps: [{ name: show me, command: env }]
handlerOn: { success: env }`);
    const attempt = view.steps[0]!.attempts[0]!;
    expect(toVariables(view, 'show me')).toMatchObject({
      DAG_NAME: 'named',
      DAG_RUN_ID: view.dagRunId,
      DAG_RUN_LOG_FILE: path.join(view.logDir!, 'run.log'),
      DAG_RUN_STEP_NAME: 'show me',
      DAG_RUN_STEP_STDOUT_FILE: attempt.stdoutFile,
      DAG_RUN_STEP_STDERR_FILE: attempt.stderrFile,
    });
    expect(toVariables(view, 'show me')).not.toHaveProperty('DAG_RUN_STATUS');
    const handler = toVariables(view, 'onSuccess');
    expect(handler).toMatchObject({ DAG_RUN_STEP_NAME: 'onSuccess', DAG_RUN_STATUS: 'succeeded' });
    expect(handler).not.toHaveProperty('DAG_RUN_STEP_STDOUT_FILE');
  });

  test('is evaluated in order: entries can refer to earlier ones, to parameters and to the system', async () => {
    vi.stubEnv('OUTSIDE', 'abcdef');
    const view = await new TestEngine().run(
      `
params: WHO=nobody
env:
  - BASE: /data/\${WHO}
  - PART: \${BASE}/\${OUTSIDE:2:3}
  - FALLBACK: \${MISSING_VARIABLE:-none}
  - COUNTED: "\`echo \${WHO} | wc -c\`"
steps: [{ name: show, command: env, env: { STEP: "\${PART}/x" } }]`,
      { params: 'WHO=ann' },
    );
    expect(toVariables(view, 'show')).toMatchObject({
      PART: '/data/ann/cde',
      FALLBACK: 'none',
      COUNTED: '4',
      STEP: '/data/ann/cde/x',
    });
  });

  test('that cannot be evaluated fails the run before any step, naming the command', async () => {
    const view = await new TestEngine().run(`
env: [{ KEY: "\`echo no >&2; exit 3\`" }]
steps: ["true"]`);
    expect(view).toMatchObject({ status: 'failed', cause: 'engine' });
    expect(view.error).toMatch(/Command `echo no >&2; exit 3` failed: exit code 3: no/);
    expect(view.steps[0]!.status).toBe('not_started');
  });
});

test('the shell can be named by variables, of the workflow and of a step', async () => {
  const view = await new TestEngine().run(`
env: { PROGRAM: bash, FLAG: -u }
shell: ["$PROGRAM", "\${FLAG}"]
steps:
  - { name: a, command: 'echo "\${BASH_VERSION:+bash} $-"' }
  - { name: b, shell: "\${PROGRAM} -f", command: 'echo "\${BASH_VERSION:+bash} $-"' }`);
  expect(stdoutOf(view, 'a')).toMatch(/^bash \S*e\S*u/);
  expect(stdoutOf(view, 'b')).toMatch(/^bash \S*f/);
});
