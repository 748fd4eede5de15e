import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStepOutput } from '../../../core/executors/step-output.ts';
import type { RunDetail } from '../../../core/model/run.ts';
import type { StepAction } from '../../../core/model/step.ts';
import { Masker } from '../../../core/process/secrets/masker.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { runStep, startStep } from './step-harness.ts';

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

const masker = new Masker(['hunter2']);
const mask = () => masker.stream();

describe('output of an executor without a process', () => {
  it('is in the logs', async () => {
    const attemptDir = makeTemporaryFolder();
    const output = await openStepOutput({ attemptDir });
    output.stdout('out 1\n');
    output.stderr('err\n');
    output.stdout('out 2 ü\n');
    expect(await output.close()).toBeUndefined();
    expect(read(attemptDir, 'stdout.log')).toBe('out 1\nout 2 ü\n');
    expect(read(attemptDir, 'stderr.log')).toBe('err\n');
  });

  it('is masked and copied', async () => {
    const attemptDir = makeTemporaryFolder();
    const both = join(attemptDir, 'a/both');
    const output = await openStepOutput({
      attemptDir,
      relay: { mask, copies: { stdout: both, stderr: both } },
    });
    output.stdout('hunt');
    output.stdout('er2\n');
    output.stderr('and hunter2\n');
    await output.close();
    expect(read(attemptDir, 'stdout.log')).toBe('*******\n');
    expect(read(attemptDir, 'stderr.log')).toBe('and *******\n');
    expect(read(attemptDir, 'a/both')).toBe('*******\nand *******\n');
  });

  it('reports files that cannot be opened or written', async () => {
    const attemptDir = makeTemporaryFolder();
    const output = await openStepOutput({ attemptDir, relay: { copies: { stdout: '/dev/full' } } });
    output.stdout('text');
    expect(await output.close()).toContain(
      'the copy of the output in /dev/full is incomplete: ENOSPC: no space left on device, write',
    );
    await expect(openStepOutput({ attemptDir })).rejects.toThrow(
      'this attempt was already started by another process',
    );
    rmSync(`${attemptDir}/stdout.log`);
    await expect(openStepOutput({ attemptDir, relay: { copies: { stdout: attemptDir } } })).rejects.toThrow(
      `cannot copy stdout of the step to ${attemptDir}: it is a folder; use a file`,
    );
    rmSync(attemptDir, { recursive: true });
    await expect(openStepOutput({ attemptDir })).rejects.toThrow('the log files in');
  });
});

describe('process with relayed output', () => {
  const command = (text: string) => ({ kind: 'command', command: text }) as const;

  it('is masked, including its error', async () => {
    const { end, stdout } = await runStep(command('echo hunter2; echo no hunter2 here >&2; exit 3'), {
      relay: { mask, copies: {} },
    });
    expect(stdout).toBe('*******\n');
    expect(end).toEqual({ exitCode: 3, error: 'exit code 3: no ******* here' });
  });

  it('fails when its copy is not complete', async () => {
    const relay = { copies: { stdout: '/dev/full' } };
    expect((await runStep(command('echo x'), { relay })).end).toEqual({
      exitCode: 0,
      error: expect.stringContaining(
        'the copy of the output in /dev/full is incomplete: ENOSPC: no space left on device, write',
      ),
    });
    expect((await runStep(command('echo x; exit 4'), { relay })).end).toEqual({
      exitCode: 4,
      error: 'exit code 4',
    });
  });

  it('is not started without its copy', async () => {
    const step = startStep(command('echo x'), { relay: { copies: { stdout: '/' } } });
    expect(await step.ended).toEqual({
      error: 'cannot copy stdout of the step to /: it is a folder; use a file',
    });
    expect(step.spawned).toEqual([]);
  });
});

describe('step that runs another workflow', () => {
  const action: StepAction = {
    kind: 'dag',
    dag: 'child',
    params: [{ name: 'TOKEN', value: 'hunter2' }],
  };
  const run = { name: 'child', dagRunId: 'r1', status: 'succeeded', outputs: {} };
  const subRuns = {
    start: (_dag: string, params: readonly { name: string; value: string }[]) =>
      Promise.resolve({
        ref: { name: 'child', dagRunId: 'r1' },
        ended: Promise.resolve({ run: { ...run, params } } as unknown as RunDetail),
        stop() {},
        kill() {},
      }),
  };

  it('has masked and copied output', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'copies'));
    const { end, stdout, stderr } = await runStep(action, {
      subRuns,
      relay: { mask, copies: { stdout: join(folder, 'copies/out') } },
    });
    expect(end).toMatchObject({ output: { name: 'child', status: 'succeeded' } });
    expect(stderr).toBe('run r1 of child started\n');
    expect(JSON.parse(stdout)).toMatchObject({
      dagRunId: 'r1',
      params: 'TOKEN=*******',
      paramsMap: { TOKEN: '*******' },
    });
    expect(read(folder, 'copies/out')).toBe(stdout);
  });

  it('fails when its copy is unavailable', async () => {
    const ended = startStep(action, { subRuns, relay: { copies: { stdout: '/' } } }).ended;
    expect((await ended).error).toContain('cannot copy stdout of the step to /: it is a folder; use a file');
    const full = await runStep(action, { subRuns, relay: { copies: { stdout: '/dev/full' } } });
    expect(full.end.error).toContain('the copy of the output in /dev/full is incomplete');
  });
});
