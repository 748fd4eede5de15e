import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Bucket } from '../../../../core/distributed/files/bucket.ts';
import type { TaskFiles } from '../../../../core/run/remote/task-files.ts';
import { openTaskFiles } from '../../../../core/distributed/files/open-task-files.ts';
import { ManualWorker } from '../../../harness/cluster.ts';
import { missingForObjects, ObjectServer } from '../../../harness/servers/object-server.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

const lack = missingForObjects === undefined ? '' : ` (missing here: ${missingForObjects})`;

describe.skipIf(missingForObjects !== undefined)(`worker logs in a bucket${lack}`, () => {
  let server: ObjectServer;

  beforeAll(async () => {
    server = await ObjectServer.start('work');
  }, 180_000);
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
    vi.stubEnv('ENGINE_OBJECT_STORE_URL', server.url('work', 'tail'));
  });
  afterAll(async () => {
    await server?.close();
  });

  /** A run whose step waits on a worker, and what a coordinator does with its log. */
  async function startRemote() {
    const engine = new TestEngine();
    const worker = new ManualWorker(engine);
    await worker.work();
    const latch = path.join(makeTemporaryFolder(), 'go');
    const run = await engine.start(`
steps:
  - name: far
    command: while [ ! -e '${latch}' ]; do sleep 0.01; done
    workerSelector: { gpu: "true" }
`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.attempts[0]?.worker !== undefined);
    const [task] = await worker.store.listTasks({ limit: 1 });
    const files: TaskFiles = await openTaskFiles({ url: server.url('work', 'tail') });
    return {
      ...{ engine, run, attemptDir: task!.attemptDir },
      append: (offset: number, text: string) =>
        files.appendLog(task!.attemptDir, 'stdout', offset, Buffer.from(text)),
      open: () => writeFileSync(latch, ''),
    };
  }

  test('are followed while the step runs, to their end, and are one object then', async () => {
    const { engine, run, attemptDir, append, open } = await startRemote();
    const seen: string[] = [];
    let hasEnded = false;
    const address = { ...run, step: 'far', attempt: 1, stream: 'stdout' } as const;
    engine.host.api.follow(
      'logs.followText',
      address,
      { item: ({ lines }) => void seen.push(...lines), end: () => void (hasEnded = true) },
      testCaller,
    );
    const tick = async (holds: () => boolean): Promise<void> => {
      await until(() => {
        // At about its real pace: with the clock, the engine asks the server.
        engine.clock.advance(5);
        return holds();
      });
    };
    await append(0, 'one\n');
    await tick(() => seen.includes('one'));
    await append(4, 'two\n');
    await tick(() => seen.includes('two'));
    expect(hasEnded).toBe(false);
    const { lines, complete } = await engine.host.api.call('logs.lines', address, testCaller);
    expect({ lines, complete }).toEqual({ lines: ['one', 'two'], complete: false });
    await append(8, 'three\n');
    open();
    expect(await engine.end(run)).toMatchObject({ status: 'succeeded' });
    await tick(() => hasEnded);
    expect(seen).toEqual(['one', 'two', 'three']);
    const bucket = new Bucket(server.url('work', 'tail'));
    const [workflow, name] = attemptDir.split(path.sep).slice(-3);
    const listKeys = async () =>
      (await bucket.list(`${workflow}/${name}/logs/`)).map(({ key }) => key.split('/').at(-1));
    await expect.poll(listKeys).toEqual([`${'0'.repeat(16)}-14`]);
  });

  test('are fetched again by readers that lack them', async () => {
    const { engine, run, attemptDir, append, open } = await startRemote();
    await append(0, 'kept\n');
    open();
    await engine.end(run);
    rmSync(attemptDir, { recursive: true });
    const address = { ...run, step: 'far' };
    const { lines } = await engine.host.api.call('logs.lines', address, testCaller);
    expect(lines).toEqual(['kept']);
    expect(existsSync(path.join(attemptDir, 'stdout.log'))).toBe(true);
    expect(readFileSync(path.join(attemptDir, 'stdout.log'), 'utf8')).toBe('kept\n');
  });
});
