import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
  waitForText,
  type EngineProcess,
  type TestHome,
} from '../../harness/home-and-command.ts';
import { TestAuthority } from '../../harness/servers/certificates.ts';

/** Starts a coordinator of the home and returns its URL. */
async function startCoordinator(testHome: TestHome, words: readonly string[]): Promise<string> {
  const coordinator = startEngine(testHome, ['coordinator', '--port', '0', ...words]);
  await waitForText(coordinator.stdout, /coordinator listening at \S+/);
  return /at (\S+)/.exec(coordinator.stdout())![1]!;
}

/** Starts a worker that shares nothing with the home except the URL of its coordinator. */
async function startWorker(
  words: readonly string[],
  environment = {},
): Promise<EngineProcess & { home: string }> {
  const testHome = makeTestHome();
  const worker = startEngine(testHome, ['worker', ...words], environment);
  await waitForText(() => worker.stdout() + worker.stderr(), /Stepwright worker .* started|error/);
  return { ...worker, home: testHome.home };
}

const workflow = `
workerSelector: { gpu: "true" }
env: [REGION: eu]
steps:
  - name: first
    command: echo "on $REGION with $ENGINE_FENCE"; pwd
    output: SAID
  - name: here
    depends: first
    workerSelector: { gpu: "true", zone: a }
    command: echo "heard $SAID"
  - name: each
    depends: first
    command: echo "item $ITEM"
    parallel: { items: [a, b, c] }
`;

test('a run with steps on workers succeeds, with outputs and logs at the host', async () => {
  const testHome = makeTestHome();
  saveDag(testHome, 'spread', workflow);
  const url = await startCoordinator(testHome, ['--no-tls']);
  const { stdout: token } = await runEngine(testHome, ['workers', 'tokens', 'create']);
  const worker = await startWorker(['--coordinator', url, '--labels', 'gpu=true,zone=a', '--slots', '2'], {
    ENGINE_WORKER_TOKEN: token.trim(),
  });
  expect(worker.stdout()).toContain('(slots: 2)');

  const { code, stderr } = await runEngine(testHome, ['start', 'spread']);

  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { stdout: first } = await runEngine(testHome, ['logs', 'spread', 'first']);
  expect(first).toContain('on eu with 1');
  expect(first).toContain(path.join(worker.home, 'worker', 'tasks'));
  const { stdout: here } = await runEngine(testHome, ['logs', 'spread', 'here']);
  expect(here).toContain('heard on eu with 1');
  const { stdout: list } = await runEngine(testHome, ['workers', '--format', 'json']);
  expect(JSON.parse(list)).toMatchObject({ tasks: { ready: 0, running: 0, staleRefused: 0 } });
});

test('a worker authenticates with its certificate, and one of another authority is rejected', async () => {
  const testHome = makeTestHome();
  saveDag(testHome, 'spread', workflow);
  const authority = new TestAuthority();
  const place = (name: string, text: string): string => {
    const file = path.join(testHome.cwd, name);
    writeFileSync(file, text);
    return file;
  };
  const server = authority.issue({ name: 'coordinator' });
  const own = authority.issue({ name: 'gpu-1' });
  const foreign = new TestAuthority('another').issue({ name: 'gpu-2' });
  const ca = place('ca.crt', authority.cert);
  const url = await startCoordinator(testHome, [
    ...['--tls-cert', place('server.crt', server.cert), '--tls-key', place('server.key', server.key)],
    ...['--tls-client-ca', ca],
  ]);
  const common = ['--coordinator', url, '--tls-ca', ca, '--labels', 'gpu=true,zone=a'];

  const worker = await startWorker([
    ...common,
    ...['--tls-cert', place('own.crt', own.cert), '--tls-key', place('own.key', own.key)],
  ]);
  const { code } = await runEngine(testHome, ['start', 'spread']);

  expect(worker.stdout()).toContain('worker gpu-1 started');
  expect(code).toBe(0);
  const stranger = startEngine(makeTestHome(), [
    ...['worker', ...common],
    ...['--tls-cert', place('foreign.crt', foreign.cert), '--tls-key', place('foreign.key', foreign.key)],
  ]);
  await waitForText(stranger.stderr, /was issued by an authority that this coordinator does not trust/);
  const trusting = startEngine(makeTestHome(), ['worker', '--coordinator', url, '--token', 'swj_any']);
  await waitForText(trusting.stderr, /untrusted certificate .*set its CA with --tls-ca/);
});
