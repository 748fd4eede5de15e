import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { TestEngine, stdoutOf } from '../../harness/engine.ts';

/** Runs the spec from a file in a separate directory. */
async function runFile(spec: string, defaultWorkingDir?: string) {
  const folder = realpathSync(makeTemporaryFolder());
  const file = path.join(folder, 'dag.yaml');
  writeFileSync(file, spec);
  const engine = new TestEngine();
  const view = await engine.end(
    await engine.host.startRun({ source: { file }, trigger: 'cli', defaultWorkingDir }),
  );
  return { folder, view };
}

describe('working directory', () => {
  test('is the directory of the file by default', async () => {
    const { folder, view } = await runFile('steps: [{ name: a, command: pwd -P }]');
    expect(stdoutOf(view, 'a')).toBe(`${folder}\n`);
  });

  test('is the caller’s, where the workflow names none; also in sub-DAGs', async () => {
    const fallback = realpathSync(makeTemporaryFolder());
    const { view } = await runFile(
      `
steps:
  - { name: a, command: pwd -P }
  - { name: sub, run: child }
---
name: child
steps: [{ command: pwd -P, output: PLACE }]`,
      fallback,
    );
    expect(stdoutOf(view, 'a')).toBe(`${fallback}\n`);
    expect(JSON.parse(stdoutOf(view, 'sub'))).toMatchObject({ outputs: { PLACE: fallback } });
  });

  test('if relative is based on the file, and is expanded and created', async () => {
    const { folder, view } = await runFile(
      `
params: DAY=monday
workingDir: work/\${DAY}
steps:
  - { name: run, command: pwd -P }
  - { name: below, command: pwd -P, dir: "sub/\${DAY}" }
  - { name: absolute, command: pwd -P, dir: / }
handlerOn: { exit: { command: pwd -P, dir: at-exit } }`,
      makeTemporaryFolder(),
    );
    expect(view.status).toBe('succeeded');
    expect(['run', 'below', 'absolute', 'onExit'].map((name) => stdoutOf(view, name).trim())).toEqual([
      path.join(folder, 'work/monday'),
      path.join(folder, 'work/monday/sub/monday'),
      '/',
      path.join(folder, 'work/monday/at-exit'),
    ]);
  });

  test('that cannot be created fails the run, with its path', async () => {
    const { folder, view } = await runFile('workingDir: dag.yaml/below\nsteps: ["true"]');
    expect(view).toMatchObject({
      status: 'failed',
      cause: 'engine',
      steps: [{ status: 'not_started' }],
      error: `Working directory ${folder}/dag.yaml/below does not exist and cannot be created: a file with this name already exists`,
    });
  });

  test('of a step that cannot be created fails that step', async () => {
    const { folder, view } = await runFile(
      'type: graph\nsteps: [{ name: a, command: "true", dir: dag.yaml }, { name: b, command: "true" }]',
    );
    expect(view.steps).toMatchObject([
      {
        status: 'failed',
        attempts: [{ attempt: 1 }],
        error: `Working directory ${folder}/dag.yaml does not exist and cannot be created: a file with this name already exists`,
      },
      { status: 'succeeded' },
    ]);
  });

  test('is created again when it was deleted meanwhile', async () => {
    const { folder, view } = await runFile(
      'steps: [{ name: a, dir: gone, command: rmdir ../gone }, { name: b, dir: gone, command: pwd }]',
    );
    expect(view.status).toBe('succeeded');
    expect(existsSync(path.join(folder, 'gone'))).toBe(true);
  });
});

describe('shells', () => {
  test('are the step’s, else the workflow’s, else sh; an argument list needs none', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(path.join(folder, 'bin'));
    const { view } = await runFile(
      `
shell: [bash, -u]
steps:
  - { name: root, command: "echo \${BASH_VERSION:+bash} $-", continueOn: failed }
  - { name: own, shell: sh, command: "echo \${BASH_VERSION:+bash}." }
  - { name: perl, shell: [perl, -w], command: "print 6 * 7" }
  - { name: list, command: [printf, "%s|", "a b", "$HOME"] }
  - name: script
    script: |
      #!/usr/bin/env perl
      print "perl @ARGV\\n";
  - name: lines
    command: |
      false
      echo reached
params: one two`,
      folder,
    );
    expect(stdoutOf(view, 'root')).toMatch(/^bash \S*u/);
    expect(stdoutOf(view, 'own')).toBe('.\n');
    expect(stdoutOf(view, 'perl')).toBe('42');
    expect(stdoutOf(view, 'list')).toBe(`a b|${process.env.HOME}|`);
    expect(stdoutOf(view, 'script')).toBe('perl one two\n');
    // The first failing line ends a command of several.
    expect(view.steps.at(-1)).toMatchObject({ status: 'failed', exitCode: 1 });
    expect(stdoutOf(view, 'lines')).toBe('');
  });
});
