import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { until, onTestCleanup } from '../../../harness/resources.ts';
import { BreakableLink, Cluster, commandStep, getTask } from '../../../harness/cluster.ts';
import { engineArguments } from '../../../harness/home-and-command.ts';

/** `engine worker` as a separate process. */
class WorkerProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stdout = '';
  stderr = '';

  constructor(workers: Cluster, words: readonly string[] = [], url = workers.urls[0]!) {
    const home = path.join(workers.folder, 'home');
    const env = { ...process.env, ENGINE_HOME: home, ENGINE_WORKER_TOKEN: workers.secret, ENGINE_SERVER: '' };
    const all = ['worker', '--coordinator', url, '--id', 'w1', '--slots', '4', ...words];
    this.child = spawn(process.execPath, engineArguments(all), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout!.on('data', (text: Buffer) => (this.stdout += String(text)));
    this.child.stderr!.on('data', (text: Buffer) => (this.stderr += String(text)));
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => resolve({ code, signal }));
    });
    onTestCleanup(async () => {
      this.child.kill('SIGKILL');
      await this.ended;
    });
  }

  async started(): Promise<this> {
    await until(() => this.stdout.includes('Stepwright worker ') || this.child.exitCode !== null);
    if (this.child.exitCode !== null) throw new Error(this.stderr);
    return this;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL') {
    this.child.kill(signal);
    return this.ended;
  }
}

const gated = (workers: Cluster) => {
  const latch = path.join(workers.folder, 'go');
  return {
    text: `echo begun; while [ ! -e ${latch} ]; do sleep 0.02; done; echo done; exit 5`,
    go: () => writeFileSync(latch, ''),
  };
};

async function untilStarted(workers: Cluster, key: string): Promise<void> {
  await expect.poll(() => workers.log(key)).toContain('begun');
}

test('when killed, its steps survive; after a restart, it resumes them and reports their true results', async () => {
  const workers = await Cluster.open();
  const first = await new WorkerProcess(workers).started();
  const { text, go } = gated(workers);
  const key = await workers.offer(getTask(commandStep(text, { output: 'RESULT' })));
  await untilStarted(workers, key);
  await first.kill();

  await new WorkerProcess(workers).started();
  go();

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 5, captured: 'begun\ndone' });
  await expect(workers.log(key)).resolves.toBe('begun\ndone\n');
  expect((await workers.find(key)).worker?.epoch).toBe(2);
});

test('when killed, and its step ended before the restart, it reports the recorded result', async () => {
  const workers = await Cluster.open();
  const first = await new WorkerProcess(workers).started();
  const { text, go } = gated(workers);
  const key = await workers.offer(getTask(commandStep(`${text} > /dev/null`)));
  const file = path.join(workers.folder, 'over');
  const other = await workers.offer(getTask(commandStep(`echo begun; sleep 0.3; touch ${file}; exit 6`)));
  await untilStarted(workers, other);
  await workers.untilState(key, 'running');
  await first.kill();
  go();
  await until(() => existsSync(file));

  await new WorkerProcess(workers).started();

  await expect(workers.getResult(other)).resolves.toMatchObject({ exitCode: 6 });
  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 5 });
});

test('when killed while unreachable, it still reports unsent results', async () => {
  const workers = await Cluster.open({ leaseMs: 120_000 });
  const link = await BreakableLink.open(workers.urls[0]!);
  const first = await new WorkerProcess(workers, [], link.url).started();
  const { text, go } = gated(workers);
  const key = await workers.offer(getTask(commandStep(text)));
  await untilStarted(workers, key);
  link.cut();
  go();
  const tasks = path.join(workers.folder, 'home', 'worker', 'tasks');
  const [name] = readdirSync(tasks);
  await until(() => existsSync(path.join(tasks, name!, 'exits.jsonl')));
  await first.kill();
  link.restoreLink();

  await new WorkerProcess(workers, [], link.url).started();

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 5 });
  await expect(workers.log(key)).resolves.toBe('begun\ndone\n');
});

test('at restart kills what was taken away while it was down', async () => {
  const workers = await Cluster.open();
  const first = await new WorkerProcess(workers).started();
  const { text } = gated(workers);
  const key = await workers.offer(getTask(commandStep(`echo $$ > ${workers.folder}/pid; ${text}`)));
  await untilStarted(workers, key);
  await first.kill();
  await workers.store.abandon([key], 'for the test');
  const { readFileSync } = await import('node:fs');
  const pid = Number(readFileSync(path.join(workers.folder, 'pid'), 'utf8'));

  await new WorkerProcess(workers).started();

  await until(() => !existsSync(`/proc/${pid}`));
  await expect(workers.find(key)).resolves.toMatchObject({ state: 'lost' });
});

test('SIGTERM lets the steps finish, reports their results and exits with code 0', async () => {
  const workers = await Cluster.open();
  const worker = await new WorkerProcess(workers).started();
  const { text, go } = gated(workers);
  const key = await workers.offer(getTask(commandStep(text)));
  await untilStarted(workers, key);

  worker.child.kill('SIGTERM');
  await until(() => worker.stderr.includes('draining, 1 steps running'));
  go();

  await expect(worker.ended).resolves.toEqual({ code: 0, signal: null });
  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 5 });
});

test('a second SIGTERM stops the steps; so does the drain timeout', async () => {
  const workers = await Cluster.open();
  const worker = await new WorkerProcess(workers).started();
  const { text } = gated(workers);
  const key = await workers.offer(getTask(commandStep(`trap 'exit 9' TERM; ${text}`)));
  await untilStarted(workers, key);
  worker.child.kill('SIGTERM');
  await until(() => worker.stderr.includes('draining, '));
  worker.child.kill('SIGTERM');
  await expect(worker.ended).resolves.toEqual({ code: 0, signal: null });
  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 9 });

  const second = await new WorkerProcess(workers, ['--drain-timeout', '0']).started();
  const last = await workers.offer(getTask(commandStep(`trap 'exit 8' TERM; ${text}`)));
  await untilStarted(workers, last);
  second.child.kill('SIGTERM');
  await expect(second.ended).resolves.toEqual({ code: 0, signal: null });
  await expect(workers.getResult(last)).resolves.toMatchObject({ exitCode: 8 });
});

test('when suspended for longer than its lease and resumed, it kills lost tasks and continues others', async () => {
  const workers = await Cluster.open({ leaseMs: 1500 });
  const worker = await new WorkerProcess(workers).started();
  const { text } = gated(workers);
  const mark = path.join(workers.folder, 'done');
  const key = await workers.offer(getTask(commandStep(text.replace('echo done', `touch ${mark}`))));
  await untilStarted(workers, key);
  worker.child.kill('SIGSTOP');
  await expect.poll(async () => (await workers.store.reap(), (await workers.find(key)).state)).toBe('lost');

  worker.child.kill('SIGCONT');

  const next = await workers.offer(getTask(commandStep('true')));
  await expect(workers.getResult(next)).resolves.toMatchObject({ exitCode: 0 });
  await until(() => worker.stderr.includes('is no longer assigned to this worker'));
  expect(existsSync(mark)).toBe(false);
});

test('without a coordinator it says what to do, and exits with code 2', async () => {
  const child = spawn(process.execPath, engineArguments(['worker']), {
    env: { ...process.env, ENGINE_HOME: path.join((await Cluster.open()).folder, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += String(text)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('Use --coordinator URL.'),
  });
});
