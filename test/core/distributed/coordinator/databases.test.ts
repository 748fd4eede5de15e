import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  startCoordinator,
  type RunningCoordinator,
} from '../../../../core/distributed/coordinator/coordinator.ts';
import { FileStore } from '../../../../core/distributed/files/file-store.ts';
import type { DispatchStore } from '../../../../core/store/types/dispatch.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { describeOnDispatch, newTask } from '../store/describe-on-dispatch.ts';
import { Caller, TestCertificates, taskPath } from '../../../harness/coordinator.ts';
import { silentLogger } from '../../../harness/fakes.ts';

async function start(store: DispatchStore, certificates: TestCertificates): Promise<RunningCoordinator> {
  const coordinator = await startCoordinator({
    store,
    files: new FileStore(),
    host: '127.0.0.1',
    port: 0,
    tls: certificates.files,
    version: '9.9.9',
    clock: systemClock,
    logger: silentLogger,
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
}

/** Real time, real TLS, and each kind of database. */
describeOnDispatch('coordinators over a database', (under) => {
  test('hand out each task once, and carry it to its end', async () => {
    const { store, openAnother } = under();
    const certificates = new TestCertificates();
    const coordinators = [await start(store, certificates), await start(openAnother(), certificates)];
    const workers = ['w0', 'w1', 'w2', 'w3'].map(
      (id, index) =>
        new Caller(
          coordinators[index % 2]!.url,
          id,
          certificates.agent(certificates.authority.issue({ name: id })),
        ),
    );
    for (const worker of workers) expect((await worker.join({ slots: 50 })).status).toBe(200);
    onTestFinished(() => workers.forEach(({ agent }) => agent.destroy()));
    const folder = path.join(makeTemporaryFolder(), 'etl/20260101T000000Z_r1');
    mkdirSync(folder, { recursive: true });
    const taken: string[] = [];
    const work = async (worker: Caller): Promise<void> => {
      while (taken.length < 200) {
        const { body } = await worker.claim(20, 200);
        const holds = body.tasks.map(({ key, fence }: { key: string; fence: number }) => ({ key, fence }));
        if (holds.length === 0) continue;
        expect((await worker.post('/begin', { holds })).body.own).toHaveLength(holds.length);
        const log = await worker.send(`${taskPath(holds[0])}/logs/stdout?offset=0`, {
          method: 'PUT',
          body: Buffer.from('x'),
        });
        expect(log.body).toEqual({ size: 1 });
        taken.push(...holds.map(({ key }: { key: string }) => key));
        const results = holds.map((hold: object) => ({ ...hold, result: '{}' }));
        const { outcomes } = (await worker.post('/settle', { results })).body;
        expect(new Set(outcomes)).toEqual(new Set(['settled']));
      }
    };
    const working = workers.map(work);
    const keys = Array.from({ length: 200 }, (_, index) => `task-${index}`);
    await store.offer(keys.map((key) => newTask(key, { attemptDir: path.join(folder, `${key}.1`) })));
    await Promise.all(working);
    expect(taken.sort()).toEqual(keys.sort());
    const records = await store.find(keys);
    expect(new Set(records.map(({ state }) => state))).toEqual(new Set(['settled']));
  });

  test('work offered by one host wakes the poll at another coordinator', async () => {
    const { store, openAnother } = under();
    const certificates = new TestCertificates();
    const coordinator = await start(openAnother(), certificates);
    const worker = new Caller(
      coordinator.url,
      'w1',
      certificates.agent(certificates.authority.issue({ name: 'w1' })),
    );
    await worker.join();
    onTestFinished(() => worker.agent.destroy());
    const answer = worker.claim(1, 30_000);
    await until(() => coordinator.waiting() === 1);
    await store.offer([newTask('a')]);
    const { body } = await answer;
    expect(body.tasks).toMatchObject([{ key: 'a' }]);
    await worker.post('/begin', { holds: [{ key: 'a', fence: body.tasks[0].fence }] });
    const next = worker.claim(1, 30_000);
    await until(() => coordinator.waiting() === 1);
    await store.cancel(['a'], 'kill');
    expect((await next).body.cancel).toEqual([{ key: 'a', how: 'kill' }]);
  });
});
