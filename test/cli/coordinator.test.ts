import { describe, expect, it, onTestFinished } from 'vitest';
import { openDispatch } from '../../core/distributed/store/open-dispatch.ts';
import type { DispatchStore } from '../../core/store/types/dispatch.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { TestPostgres, missingForPostgres } from '../harness/servers/postgres.ts';
import { ask, Caller, TestCertificates } from '../harness/coordinator.ts';
import { newTask } from '../core/distributed/store/describe-on-dispatch.ts';
import {
  makeTestHome,
  runEngine,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

const ready = /coordinator listening at (https?:\/\/\S+)\n/;

async function start(
  place: TestHome,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ReturnType<typeof startEngine> & { url: string }> {
  const coordinator = startEngine(place, ['coordinator', '--port', '0', ...args], env);
  await waitForText(coordinator.stdout, ready);
  return { ...coordinator, url: ready.exec(coordinator.stdout())![1]! };
}

function openTasks({ home }: TestHome): DispatchStore {
  const store = openDispatch({ file: `${home}/data/engine.db` }, systemClock);
  onTestFinished(() => store.close());
  return store;
}

describe('engine coordinator', () => {
  it('hands tasks to workers that join with a token; a replacement takes over before it ends', async () => {
    const place = makeTestHome();
    const first = await start(place, ['--no-tls']);
    const created = await runEngine(place, ['workers', 'tokens', 'create', '--labels', 'region=eu']);
    expect(created).toMatchObject({ code: 0 });
    const worker = new Caller(first.url, 'w1');
    expect((await worker.join({}, created.stdout.trim())).body.labels).toMatchObject({ region: 'eu' });
    await openTasks(place).offer([newTask('a', { selector: { region: 'eu' } })]);
    const { body } = await worker.claim(1, 30_000);
    expect(body.tasks).toMatchObject([{ key: 'a' }]);
    const hold = { key: 'a', fence: body.tasks[0].fence };
    const second = await start(place, ['--no-tls', '--url', 'http://replacement.example']);
    const waits = worker.claim(1, 30_000);
    const isWaiting = async (): Promise<boolean> =>
      (await ask(`${first.url}/health`, { method: 'GET' })).body.waitingWorkers === 1;
    while (!(await isWaiting()));
    first.kill('SIGTERM');
    expect((await waits).body).toMatchObject({ tasks: [] });
    expect(await first.ended).toMatchObject({ code: 0 });
    worker.url = second.url;
    expect((await worker.post('/begin', { holds: [hold] })).body).toEqual({ own: ['a'] });
    const settled = await worker.post('/settle', { results: [{ ...hold, result: '{}' }] });
    expect(settled.body).toEqual({ outcomes: ['settled'] });
    const listed = await runEngine(place, ['workers', 'coordinators']);
    expect(listed.stdout).toContain('http://replacement.example');
    worker.agent.destroy();
    second.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 0 });
  });

  it('serves HTTPS with the files named in variables, and requires client certificates', async () => {
    const certificates = new TestCertificates();
    const { certFile, keyFile, clientCaFile } = certificates.files;
    const coordinator = await start(makeTestHome(), [], {
      ENGINE_COORDINATOR_TLS_CERT: certFile,
      ENGINE_COORDINATOR_TLS_KEY: keyFile,
      ENGINE_COORDINATOR_TLS_CLIENT_CA: clientCaFile!,
    });
    const worker = new Caller(
      coordinator.url,
      'w1',
      certificates.agent(certificates.authority.issue({ name: 'w1' })),
    );
    expect((await worker.join()).body).toMatchObject({ id: 'w1' });
    const health = await ask(`${coordinator.url}/health`, { method: 'GET', agent: worker.agent });
    expect(health).toMatchObject({ status: 200, body: { status: 'healthy' } });
    worker.agent.destroy();
  });

  it.each([
    [['--host', '0.0.0.0', '--no-tls'], 6, 'Refusing to serve 0.0.0.0 without TLS'],
    [[], 5, 'A coordinator requires a TLS certificate'],
    [['--tls-cert', 'a.crt'], 5, '"coordinator.tls.certFile" requires "coordinator.tls.keyFile"'],
    [
      ['--no-tls', '--tls-crl', 'a.crl'],
      5,
      '"coordinator.tls.crlFile" requires "coordinator.tls.clientCaFile"',
    ],
    [['--tls-cert', 'a.crt', '--tls-key', 'a.key'], 5, '(ENOENT)'],
  ])('rejects %j', async (args, code, message) => {
    const refused = await runEngine(makeTestHome(), ['coordinator', '--port', '0', ...args]);
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('stores logs in the configured bucket, and reports when it is unreachable', async () => {
    const place = makeTestHome();
    const coordinator = await start(place, ['--no-tls'], {
      ENGINE_OBJECT_STORE_URL: 's3://logs/?region=us-east-1&endpoint=http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    const { stdout } = await runEngine(place, ['workers', 'tokens', 'create']);
    const worker = new Caller(coordinator.url, 'w1');
    await worker.join({}, stdout.trim());
    const run = { name: 'etl', dagRunId: 'r1' };
    await openTasks(place).offer([
      newTask('a', { run, attemptDir: `${place.home}/logs/etl/20260101T000000Z_r1/load.1` }),
    ]);
    const hold = await worker.take();
    const log = await worker.send(`/tasks/a/${hold.fence}/logs/stdout?offset=0`, {
      method: 'PUT',
      body: Buffer.from('x'),
    });
    expect(log).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('Object store error for bucket logs') },
    });
    worker.agent.destroy();
  });

  it('rejects an invalid object store', async () => {
    const refused = await runEngine(makeTestHome(), ['coordinator', '--no-tls'], {
      ENGINE_OBJECT_STORE_URL: 'https://bucket.example',
    });
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('s3://bucket/prefix') });
  });
});

const missing = missingForPostgres(18);
const lack = missing === undefined ? '' : ` (missing here: ${missing})`;

describe.skipIf(missing !== undefined)(`engine coordinator over PostgreSQL${lack}`, () => {
  it('creates the tables of an empty database, and continues when the server comes back', async () => {
    const server = await TestPostgres.start(18);
    onTestFinished(() => server.close());
    const coordinator = await start(makeTestHome(), ['--no-tls'], { ENGINE_DATABASE_URL: server.url });
    const health = async (): Promise<number> =>
      (await ask(`${coordinator.url}/health`, { method: 'GET' })).status;
    expect(await health()).toBe(200);
    await server.stop();
    expect(await health()).toBe(503);
    await server.begin();
    while ((await health()) !== 200);
    const tasks = openDispatch({ url: server.url }, systemClock);
    onTestFinished(() => tasks.close());
    expect(await tasks.listCoordinators()).toMatchObject([{ url: coordinator.url }]);
    coordinator.kill('SIGTERM');
    expect(await coordinator.ended).toMatchObject({ code: 0 });
    expect(await tasks.listCoordinators()).toEqual([]);
  });
});
