import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { Cluster, commandStep, getTask } from '../../../harness/cluster.ts';

/** Runs one step on one worker. */
async function doTask(
  task: Parameters<Cluster['offer']>[0],
  environment: Record<string, string | undefined> = process.env,
) {
  const workers = await Cluster.open();
  const { folder } = await workers.startWorker({ environment });
  const key = await workers.offer(task);
  const result = await workers.getResult(key);
  return { site: workers, folder, key, result, stdout: await workers.log(key) };
}

test("a step sees the worker’s system variables, then the host's, then its own, later ones winning", async () => {
  const step = commandStep('echo "$PATH|$LANG|$REGION|$MIXED|$ENGINE_FENCE|$ENGINE_WORKER_TOKEN|$PRIVATE"', {
    env: [{ name: 'MIXED', value: '${REGION}-`echo here`-$HOME' }],
  });
  const environment = {
    PATH: process.env['PATH'],
    HOME: '/home/of-worker',
    LANG: 'C',
    PRIVATE: 'of the worker',
    ENGINE_WORKER_TOKEN: 'secret',
  };

  const { stdout } = await doTask(getTask(step, { env: { REGION: 'eu', LANG: 'de_DE' } }), environment);

  expect(stdout).toBe(`${process.env['PATH']}|de_DE|eu|eu-here-/home/of-worker|1||\n`);
});

test('special variables name the worker’s own files, and a step without a directory gets its own', async () => {
  const step = commandStep('pwd; echo "$PWD"; echo "$DAG_RUN_STEP_NAME"; echo "$DAG_RUN_STEP_STDOUT_FILE"');

  const { stdout, folder } = await doTask(
    getTask(step, { env: { DAG_RUN_STEP_STDOUT_FILE: '/of/the/host' } }),
  );

  const [cwd, pwd, name, file] = stdout.split('\n');
  expect(cwd).toBe(pwd);
  expect(path.basename(cwd!)).toBe('work');
  expect(cwd!.startsWith(path.join(folder, 'tasks'))).toBe(true);
  expect(name).toBe('load');
  expect(file).toBe(path.join(path.dirname(cwd!), 'attempt', 'stdout.log'));
});

test('creates a named directory when it is missing', async () => {
  const folder = path.join(makeTemporaryFolder(), 'made', 'here');

  const { result } = await doTask(getTask(commandStep('pwd > where'), { workingDir: folder }));

  expect(result.exitCode).toBe(0);
  expect(readFileSync(path.join(folder, 'where'), 'utf8')).toBe(`${folder}\n`);
});

test('outputs of earlier steps and positional parameters have the values sent by the host', async () => {
  const step = commandStep('', {
    action: {
      kind: 'argv',
      argv: ['echo', '${first.exitCode}', '${first.stdout}', '${1}', '${other.stdout}'],
    },
  });
  const properties = { 'first.exitCode': '0', 'first.stdout': '/logs/first' };

  const { stdout } = await doTask(getTask(step, { properties, positional: ['one'] }));

  expect(stdout).toBe('0 /logs/first one ${other.stdout}\n');
});

test('masks secrets in logs, captured output and errors', async () => {
  const step = commandStep('echo "it is $KEY"; echo "$KEY" >&2; exit 1', { output: 'RESULT' });
  const masked = ['s3cr3t-value'];

  const {
    site: workers,
    key,
    result,
    stdout,
  } = await doTask(getTask(step, { env: { KEY: masked[0]! }, masked }));

  expect(stdout).toBe('it is *******\n');
  await expect(workers.log(key, 'stderr')).resolves.toBe('*******\n');
  expect(result).toMatchObject({ captured: 'it is *******', error: 'exit code 1: *******', exitCode: 1 });
});

test('an output that is too large fails the step', async () => {
  const step = commandStep('printf 12345678901', { output: 'RESULT' });

  const { result } = await doTask(getTask(step, { maxOutputSize: 10 }));

  expect(result.captured).toBeUndefined();
  expect(result.error).toContain('11 bytes, 10 allowed');
});

test('the worker enforces a step’s timeout, even when disconnected', async () => {
  const { result } = await doTask(getTask(commandStep('sleep 60', { timeoutSec: 0.2 })));

  expect(result).toMatchObject({ exitCode: 124, error: 'step timed out after 0.2 s' });
});

test('uses a shell that the host has expanded, and fails the step for a value that is unavailable', async () => {
  const { stdout } = await doTask(
    getTask(commandStep('echo $0', { shell: ['$SHELL_OF_HOST'] }), { shell: ['sh'] }),
  );
  expect(stdout).toBe('sh\n');

  const broken = commandStep('echo never', { env: [{ name: 'X', value: '`exit 7`' }] });
  const { result } = await doTask(getTask(broken));
  expect(result.error).toContain('exit 7');
  expect(result.unstarted).toBeUndefined();
});

test('runs work without a process as on a host', async () => {
  const step = commandStep('', {
    output: 'RESULT',
    action: { kind: 'executor', type: 'jq', command: '.a + 1', script: '{"a": 41}', config: {} },
  });

  const { result, stdout } = await doTask(getTask(step));

  expect(stdout.trim()).toBe('42');
  expect(result.captured ?? result.output).toBeDefined();
});

test('a step that needs the gateway database gets an error that it is unavailable', async () => {
  const step = commandStep('', {
    action: { kind: 'executor', type: 'sql', command: 'select 1', config: {} },
  });

  const { result } = await doTask(getTask(step));

  expect(result.error).toContain('no databases here');
});
