/**
 * Coordinators: how soon an idle worker receives a task, how many no-op tasks workers claim and complete per
 * second, and what 1,000 idle workers cost. Uses mTLS; the coordinator has its own process, all workers and
 * the host share this one. `node test/bench/coordinator.ts [sqlite|postgres] [tasks] [idle workers]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FileStore } from '../../core/distributed/files/file-store.ts';
import { startCoordinator } from '../../core/distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../core/distributed/coordinator/coordinator-tls.ts';
import type { DispatchStore } from '../../core/store/types/dispatch.ts';
import { openDispatch, type DispatchLocation } from '../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { BenchWorker, makeCertificates, type BenchCertificates } from './coordinator/bench-worker.ts';
import { openBenchDatabase } from './coordinator/bench-database.ts';
import { silentLogger } from '../harness/fakes.ts';

const kind = process.argv[2] === 'sqlite' ? 'sqlite' : 'postgres';
const tasks = Number(process.argv[3] ?? 20_000);
const idleWorkers = Number(process.argv[4] ?? 1000);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** A coordinator in its own process. */
interface ServerProcess {
  readonly url: string;
  usage(): Promise<Usage>;
  end(): Promise<void>;
}

async function runCoordinator({
  place,
  tls,
}: {
  place: DispatchLocation;
  tls: CoordinatorTls;
}): Promise<void> {
  const store = openDispatch(place, systemClock);
  const { url, close } = await startCoordinator({
    store,
    files: new FileStore(),
    host: '127.0.0.1',
    port: 0,
    tls,
    version: 'bench',
    clock: systemClock,
    logger: silentLogger,
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage().rss / 1e6 });
  });
  process.once('disconnect', () => void close().then(() => store.close()));
  process.send!(url);
}

async function serve(location: DispatchLocation, tls: CoordinatorTls): Promise<ServerProcess> {
  const child = fork(import.meta.filename, ['be', JSON.stringify({ place: location, tls })]);
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async usage() {
      child.send('usage');
      return ((await once(child, 'message')) as [Usage])[0];
    },
    async end() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

let offered = 0;
const offerTasks = async (store: DispatchStore, count: number): Promise<void> => {
  await store.offer(
    Array.from({ length: count }, () => {
      offered += 1;
      return {
        key: `task-${offered}`,
        runKey: 1,
        run: { name: 'bench', dagRunId: 'r1' },
        step: 'noop',
        selector: { pool: 'a' },
        priority: 0,
        payload: JSON.stringify({ filler: 'x'.repeat(200), at: performance.now() }),
        attemptDir: `/logs/bench/20260101T000000Z_r1/noop.${offered}`,
      };
    }),
  );
};

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);

/** 100 tasks per second for one idle worker: from the host's call to the worker's response. */
async function measureDispatch(store: DispatchStore, worker: BenchWorker, count: number): Promise<string> {
  const times: number[] = [];
  const working = (async () => {
    while (times.length < count) {
      const claimed = await worker.claim(10, 1000);
      const now = performance.now();
      for (const { payload } of claimed) times.push(now - (JSON.parse(payload) as { at: number }).at);
      void worker.finish(claimed);
    }
  })();
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    await pause(Math.max(0, start + index * 10 - performance.now()));
    await offerTasks(store, 1);
  }
  await working;
  await worker.idle();
  const sorted = times.sort((one, other) => one - other);
  return `p50 ${at(sorted, 0.5)} ms, p99 ${at(sorted, 0.99)} ms, longest ${at(sorted, 1)} ms`;
}

/** As many tasks as possible, in batches of 50 for each of 4 workers. */
async function measureDrain(
  store: DispatchStore,
  workers: readonly BenchWorker[],
  count: number,
): Promise<number> {
  for (let done = 0; done < count; done += 1000) await offerTasks(store, Math.min(1000, count - done));
  const start = performance.now();
  let settled = 0;
  const work = async (worker: BenchWorker): Promise<void> => {
    while (settled < count) {
      const claimed = await worker.claim(50, 100);
      settled += claimed.length;
      void worker.finish(claimed);
      await worker.atMost(2);
    }
    await worker.idle();
  };
  await Promise.all(workers.map(work));
  const { ready, claimed, running, staleRefused } = await store.stats();
  if (ready + claimed + running + staleRefused > 0)
    throw new Error(`left over: ${JSON.stringify({ ready, claimed, running, staleRefused })}`);
  return (count / (performance.now() - start)) * 1000;
}

async function measureIdle(served: ServerProcess, certificates: BenchCertificates): Promise<string> {
  const before = await served.usage();
  const idle: BenchWorker[] = [];
  const joining = performance.now();
  for (let from = 0; from < idleWorkers; from += 50)
    idle.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          BenchWorker.join(served.url, certificates, `idle-${from + index}`, 'b'),
        ),
      )),
    );
  const joined = performance.now() - joining;
  const over = new AbortController();
  const waits = idle.map(async (worker) => {
    while (!over.signal.aborted) await worker.claim(1, 30_000).catch(() => []);
  });
  const beats = setInterval(
    () => idle.forEach((worker) => void worker.beat().catch(() => undefined)),
    10_000,
  );
  await pause(5000);
  const [first, start] = [await served.usage(), performance.now()];
  await pause(20_000);
  const last = await served.usage();
  const share = ((last.cpuMs - first.cpuMs) / (performance.now() - start)) * 100;
  const each = ((last.rssMb - before.rssMb) * 1000) / idleWorkers;
  over.abort();
  clearInterval(beats);
  for (const worker of idle) worker.close();
  await Promise.allSettled(waits);
  return `${((idleWorkers / joined) * 1000).toFixed(0)} joins/s, ${last.rssMb.toFixed(0)} MB in all (${each.toFixed(0)} KB each), ${share.toFixed(1)} % of a core`;
}

async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'coordinator-bench-'));
  const certificates = makeCertificates(folder);
  const database = await openBenchDatabase(kind, folder);
  const store = openDispatch(database.place, systemClock);
  const served = await serve(database.place, certificates.tls);
  print(`${kind}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
  const workers = await Promise.all(
    ['w0', 'w1', 'w2', 'w3'].map((id) => BenchWorker.join(served.url, certificates, id, 'a')),
  );
  await measureDispatch(store, workers[0]!, 200);
  print(`dispatch at 100/s through mTLS: ${await measureDispatch(store, workers[0]!, 1000)}`);
  await measureDrain(store, workers, 2000);
  const before = await served.usage();
  const rate = await measureDrain(store, workers, tasks);
  const used = await served.usage();
  const cpu = ((used.cpuMs - before.cpuMs) / tasks) * 1000;
  print(
    `${tasks} no-op tasks claimed, begun and settled by 4 workers, 50 at a time: ${rate.toFixed(0)}/s (coordinator ${cpu.toFixed(0)} µs of processor each)`,
  );
  if (idleWorkers > 0) print(`${idleWorkers} workers that wait: ${await measureIdle(served, certificates)}`);
  for (const worker of workers) worker.close();
  await served.end();
  await store.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  print(`load of the machine ${loadavg()[0]?.toFixed(1)}`);
}

if (process.argv[2] === 'be') await runCoordinator(JSON.parse(process.argv[3]!));
else await run();
