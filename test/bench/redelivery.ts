/**
 * How soon another worker starts the step of a worker that died: the worker is killed at seeded random times,
 * and its host offers the step again under its retry policy. Measured from the kill to the first line of the
 * command on the other worker, next to the lease; all components have their own process, over PostgreSQL.
 * `node test/bench/redelivery.ts [kills] [lease, seconds]`, after `npm run build`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DispatchStore } from '../../core/store/types/dispatch.ts';
import { openDispatch, type DispatchLocation } from '../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { createRandom } from '../faults/rig/kill.ts';
import type { CoordinatorSpec } from '../programs/coordinator.ts';
import { openBenchDatabase } from './coordinator/bench-database.ts';

const kills = Number(process.argv[2] ?? 20);
const leaseMs = Number(process.argv[3] ?? 3) * 1000;
const random = createRandom(2026);
const secret = 'swj_bench';
const root = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'redelivery-bench-'));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(2);
}

/** Starts an engine command, and waits for its ready line. */
async function start(words: readonly string[], env: Record<string, string>): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return [child, String(line).trim()];
}

const engine = path.join(root, 'out/cli/engine.js');

async function startCoordinator(location: DispatchLocation): Promise<[ChildProcess, string]> {
  const spec: CoordinatorSpec = { place: location, host: '127.0.0.1', port: 0, leaseMs };
  return start([path.join(root, 'test/programs/coordinator.ts'), JSON.stringify(spec)], {});
}

const startWorker = async (id: string, url: string): Promise<ChildProcess> => {
  const words = [engine, 'worker', '--coordinator', url, '--id', id, '--labels', 'pool=bench'];
  const env = { ENGINE_HOME: path.join(folder, id), ENGINE_WORKER_TOKEN: secret };
  return (await start(words, env))[0];
};

/** The first attempt prints its pid and runs forever; the second prints its start time. */
const command = (homeFolder: string): string =>
  `if [ -e ${homeFolder}/first ]; then date +%s%3N > ${homeFolder}/again.part; mv ${homeFolder}/again.part ${homeFolder}/again; exit 0; fi; echo $$ > ${homeFolder}/first; exec sleep 600`;

/** @returns milliseconds from the kill to the start on another worker */
async function measure(
  store: DispatchStore,
  workers: Map<string, ChildProcess>,
  around: { readonly round: number; readonly databaseUrl: string; readonly url: string },
): Promise<number> {
  const homeFolder = path.join(folder, `round-${around.round}`);
  const home = path.join(folder, 'home');
  mkdirSync(homeFolder);
  mkdirSync(path.join(home, 'dags'), { recursive: true });
  const name = `round${around.round}`;
  writeFileSync(
    path.join(home, 'dags', `${name}.yaml`),
    `steps:\n  - name: load\n    workerSelector: { pool: bench }\n    retryPolicy: { limit: 1, intervalSec: 0 }\n    command: '${command(homeFolder)}'\n`,
  );
  const host = spawn(process.execPath, [engine, 'start', name, '--quiet'], {
    env: { ...process.env, ENGINE_HOME: home, ENGINE_DATABASE_URL: around.databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(host, 'exit');
  const first = path.join(homeFolder, 'first');
  await until(() => existsSync(first) && readFileSync(first, 'utf8').endsWith('\n'));
  await pause(random.between(0, Math.ceil(leaseMs / 6)));
  const busy = (await store.listWorkers()).find(({ running }) => running.length > 0)!.id;
  const killedAt = Date.now();
  workers.get(busy)!.kill('SIGKILL');
  const again = path.join(homeFolder, 'again');
  await until(() => existsSync(again));
  process.kill(Number(readFileSync(first, 'utf8')), 'SIGKILL');
  await ended;
  workers.set(busy, await startWorker(busy, around.url));
  return Number(readFileSync(again, 'utf8')) - killedAt;
}

const database = await openBenchDatabase('postgres', folder);
const { place: homeFolder } = database;
const databaseUrl = 'url' in homeFolder ? homeFolder.url : '';
const store = openDispatch(homeFolder, systemClock, { leaseMs, activationMs: 1000 });
const sha256 = createHash('sha256').update(secret).digest('hex');
await store.addJoinToken({ id: 'bench', sha256, note: '', labels: {} });
// Coordinators send heartbeats every 5 s, too rarely for a short lease.
const card = { id: 'steady', url: 'http://steady', version: '', host: '', pid: 1, workers: 0 };
const heartbeatLoop = setInterval(() => void store.heartbeatCoordinator(card), 250);
const [coordinator, url] = await startCoordinator(homeFolder);
const workers = new Map<string, ChildProcess>();
for (const id of ['w1', 'w2']) workers.set(id, await startWorker(id, url));
print(`load average ${loadavg()[0]!.toFixed(1)}`);
// Tasks are not reclaimed from workers within one lease of the first coordinator's start.
await until(async () => {
  const { now, reapingFrom } = await store.stats();
  return now > reapingFrom;
});
const times: number[] = [];
for (let round = 1; round <= kills; round += 1)
  times.push(await measure(store, workers, { round, databaseUrl, url }));
const sorted = times.toSorted((one, other) => one - other);
const at = (share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]! / 1000).toFixed(2);
print(`lease ${leaseMs / 1000} s, ${kills} kills: begun by another worker after`);
print(`  shortest ${at(0)} s, p50 ${at(0.5)} s, p90 ${at(0.9)} s, longest ${at(1)} s`);
clearInterval(heartbeatLoop);
for (const child of [...workers.values(), coordinator]) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
await store.close();
await database.close();
rmSync(folder, { recursive: true, force: true });
