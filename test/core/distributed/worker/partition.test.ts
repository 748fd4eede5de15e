import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BreakableLink, Cluster, commandStep, getTask } from '../../../harness/cluster.ts';

/** A worker behind a link that can be cut, and a step that waits for a file. */
async function openBreakableLink(more: { leaseMs?: number; onPartition?: 'continue' | 'stop' } = {}) {
  const { leaseMs = 900, onPartition = 'continue' } = more;
  const workers = await Cluster.open({ leaseMs });
  const link = await BreakableLink.open(workers.urls[0]!);
  const { folder, lines } = await workers.startWorker({ coordinators: [link.url] });
  const latch = path.join(workers.folder, 'go');
  const text = `echo begun; while [ ! -e ${latch} ]; do sleep 0.02; done; echo done > ${latch}.done; echo after`;
  const key = await workers.offer(getTask(commandStep(text), { onPartition, cleanUpMs: 200 }));
  await expect.poll(() => workers.log(key)).toBe('begun\n');
  return {
    site: workers,
    link,
    folder,
    lines,
    key,
    go: () => writeFileSync(latch, ''),
    mark: `${latch}.done`,
  };
}

test('when disconnected, a step continues, and its logs and result are sent on reconnect', async () => {
  const { site: workers, link, key, go, mark } = await openBreakableLink({ leaseMs: 60_000 });
  link.cut();
  go();
  await expect.poll(() => existsSync(mark)).toBe(true);
  await expect(workers.find(key)).resolves.toMatchObject({ state: 'running' });

  link.restoreLink();

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 0 });
  await expect(workers.log(key)).resolves.toBe('begun\nafter\n');
});

test('when disconnected for longer than its lease, a step that may continue does, and its late result is discarded', async () => {
  const { site: workers, link, key, go, mark, lines } = await openBreakableLink();
  link.cut();
  await expect.poll(async () => (await workers.store.reap(), (await workers.find(key)).state)).toBe('lost');
  go();
  await expect.poll(() => existsSync(mark)).toBe(true);

  link.restoreLink();

  await expect
    .poll(() => lines.has('A task is no longer assigned to this worker and was stopped'))
    .toBe(true);
  await expect(workers.find(key)).resolves.toMatchObject({ state: 'lost' });
  await expect(workers.log(key)).resolves.toBe('begun\n');
  const next = await workers.offer(getTask(commandStep('echo again')));
  await expect(workers.getResult(next)).resolves.toMatchObject({ exitCode: 0 });
});

test('a step that must not continue without a lease is killed before another worker may start it', async () => {
  const {
    site: workers,
    link,
    key,
    go,
    mark,
  } = await openBreakableLink({ leaseMs: 2000, onPartition: 'stop' });
  link.cut();
  await expect.poll(async () => (await workers.store.reap(), (await workers.find(key)).state)).toBe('lost');

  go();
  link.restoreLink();

  const next = await workers.offer(getTask(commandStep('echo again')));
  await expect(workers.getResult(next)).resolves.toMatchObject({ exitCode: 0 });
  expect(existsSync(mark)).toBe(false);
});

test('a worker moves on from a lost coordinator to the next one, and stays there', async () => {
  const workers = await Cluster.open({ coordinators: 2 });
  const link = await BreakableLink.open(workers.urls[0]!);
  const { joined, lines } = await workers.startWorker({ coordinators: [link.url, workers.urls[1]!] });
  await joined;

  link.cut();
  const key = await workers.offer(getTask(commandStep('echo hello')));

  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 0 });
  expect(lines.has(`"coordinator":"${workers.urls[1]}"`)).toBe(true);
  link.restoreLink();
  const after = await workers.offer(getTask(commandStep('echo hello')));
  await workers.getResult(after);
  expect(lines.all.filter((line) => line.startsWith('Connected'))).toHaveLength(2);
});

test('a worker that starts before its coordinator joins once that is up', async () => {
  const workers = await Cluster.open();
  const link = await BreakableLink.open(workers.urls[0]!);
  link.cut();
  const { joined, lines } = await workers.startWorker({ coordinators: [link.url] });
  await expect.poll(() => lines.has('Cannot reach a coordinator')).toBe(true);

  link.restoreLink();

  await expect(joined).resolves.toBeDefined();
});

test('a removed and forgotten worker joins again by its token and continues', async () => {
  const workers = await Cluster.open({ leaseMs: 600 });
  const { joined } = await workers.startWorker({ id: 'w1' });
  await joined;

  await workers.store.removeWorker('w1');

  const key = await workers.offer(getTask(commandStep('true')));
  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 0 });
});
