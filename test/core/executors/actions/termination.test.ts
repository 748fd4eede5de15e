import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../../harness/resources.ts';
import { startStep, type StepChoice } from '../step-harness.ts';
import { ActionServerFolder, composite, javaScript, actionStep, writeFiles } from './action-harness.ts';

function startAction(files: Record<string, string>, choice: StepChoice = {}) {
  const server = new ActionServerFolder();
  const folder = join(server.folder, 'here');
  writeFiles(join(folder, 'it'), files);
  return Object.assign(startStep(actionStep('./it'), { workingDir: folder, ...choice }), { folder });
}

/** A zombie is not alive. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('stopping an action', () => {
  test('ends all its processes, cleans up, and leaves nothing behind', async () => {
    const step = startAction({
      'action.yml': 'runs: {using: node20, main: main.js, post: post.js}',
      'main.js': `const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
        console.log(child.pid + '\\nready'); setInterval(() => {}, 1000);`,
      'post.js': "console.log('cleaned up');",
    });
    await step.ready();
    const child = Number.parseInt(step.stdout(), 10);
    step.stop();
    const end = await step.ended;
    expect(end.error).toContain('SIGTERM');
    expect(step.stdout()).toContain('cleaned up\n');
    expect(isAlive(child)).toBe(false);
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('kills processes that ignore signals when the grace period is over', async () => {
    const step = startAction(
      javaScript("process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000);"),
      { cleanUpMs: 100 },
    );
    await step.ready();
    step.stop();
    expect((await step.ended).error).toContain('SIGKILL');
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('skips cleanup when killed at once', async () => {
    const step = startAction({
      'action.yml': 'runs: {using: node20, main: main.js, post: post.js}',
      'main.js': "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000);",
      'post.js': "console.log('cleaned up');",
    });
    await step.ready();
    step.stop();
    step.kill();
    await step.ended;
    expect(step.stdout()).toBe('ready\n');
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('runs no further steps except cleanup', async () => {
    const step = startAction(
      composite(`- {shell: bash, run: "echo ready; sleep 1000"}
- {shell: bash, run: "echo never"}
- {shell: bash, if: failure(), run: "echo never"}
- {shell: bash, if: cancelled(), run: "echo cancelled"}
- {shell: bash, if: always(), run: "echo always"}`),
    );
    await step.ready();
    step.stop();
    await step.ended;
    expect(step.stdout().replaceAll(/▸.*\n/g, '')).toBe('ready\ncancelled\nalways\n');
  });

  test('ends fetching, and leaves nothing incomplete', async () => {
    const folder = new ActionServerFolder().folder;
    // A server that never responds.
    writeFiles(folder, { 'bin/git': '#!/bin/sh\necho $$ > "$GIT_PID_FILE"\nexec sleep 1000\n' });
    chmodSync(join(folder, 'bin/git'), 0o700);
    const pidFile = join(folder, 'pid');
    const step = startStep(actionStep('o/a@v1'), {
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, GIT_PID_FILE: pidFile },
    });
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    step.stop();
    expect((await step.ended).error).toBe('stopped before the action ran');
    await until(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))));
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });
});
