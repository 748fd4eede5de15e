/**
 * Handing tasks to workers: tasks per second, delay, and cost of idle workers, compared with plain SQL that
 * only claims and finishes, on the same server in the same run. `node test/bench/dispatch-store.ts [tasks]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DispatchStore, NewTask, WorkerLease } from '../../core/store/types/dispatch.ts';
import { openDispatch } from '../../core/distributed/store/open-dispatch.ts';
import { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { prepareServerDatabase } from '../../core/store/open-store.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { TestPostgres, missingForPostgres, postgresVersions } from '../harness/servers/postgres.ts';

const count = Number(process.argv[2] ?? 10_000);
const batch = 50;
const budget = 5000;
const payload = JSON.stringify({ step: 'x'.repeat(180) });
const result = '{"exitCode":0}';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const row = (...cells: readonly string[]): void => print(`| ${cells.join(' | ')} |`);

/** Tasks per second completed by several lanes that each take batches until none are left. */
async function rateOf(lanes: readonly (() => Promise<number>)[]): Promise<number> {
  const started = performance.now();
  await Promise.all(
    lanes.map(async (lane) => {
      while ((await lane()) > 0);
    }),
  );
  return (1000 * count) / (performance.now() - started);
}

const keys = Array.from({ length: count }, (_, index) => `bench-${index}`);

const tasksOf = (names: readonly string[], changes: Partial<NewTask> = {}): NewTask[] =>
  names.map((key) => ({
    key,
    runKey: 1,
    run: { name: 'bench', dagRunId: 'r1' },
    step: 'work',
    selector: { zone: 'eu' },
    priority: 0,
    payload,
    attemptDir: '/logs',
    ...changes,
  }));

async function offerAll(
  store: DispatchStore,
  names: readonly string[],
  changes?: Partial<NewTask>,
): Promise<number> {
  const started = performance.now();
  for (let from = 0; from < names.length; from += 100)
    await store.offer(tasksOf(names.slice(from, from + 100), changes));
  return (1000 * names.length) / (performance.now() - started);
}

const register = (store: DispatchStore, id: string): Promise<WorkerLease> =>
  store.register({
    id,
    labels: { zone: 'eu', gpu: 'yes' },
    slots: batch,
    version: '1',
    host: 'h',
    pid: 1,
    keeps: [],
  });

/** Claims, confirms and completes a batch; returns its size. */
async function takeBatch(store: DispatchStore, worker: WorkerLease): Promise<number> {
  const tasks = (await store.claim([{ ...worker, free: batch }])).get(worker.id) ?? [];
  await store.begin(worker, tasks);
  await store.settle(tasks.map(({ key, fence }) => ({ ...worker, key, fence, result })));
  return tasks.length;
}

async function measureHandOver(
  open: () => DispatchStore,
  workers: number,
): Promise<{ offered: number; done: number }> {
  const store = open();
  const offered = await offerAll(store, keys);
  const stores = Array.from({ length: workers }, open);
  const lanes = await Promise.all(
    stores.map(async (own, index) => {
      const worker = await register(own, `w${index}`);
      return () => takeBatch(own, worker);
    }),
  );
  const done = await rateOf(lanes);
  await store.forget(keys);
  await Promise.all([store, ...stores].map((each) => each.close()));
  return { offered, done };
}

const floorTable = /* sql */ `
  CREATE TABLE floor (id INTEGER PRIMARY KEY, state TEXT NOT NULL, fence INTEGER NOT NULL, payload TEXT NOT NULL);
  CREATE INDEX floor_ready ON floor (id) WHERE state = 'ready'`;
const floorClaim = /* sql */ `
  UPDATE floor SET state = 'active', fence = fence + 1
  FROM (SELECT id FROM floor WHERE state = 'ready' ORDER BY id LIMIT ${batch} FOR UPDATE SKIP LOCKED) AS next
  WHERE floor.id = next.id RETURNING floor.id, floor.fence, floor.payload`;
const floorDone = `UPDATE floor SET state = 'done' WHERE id = ANY ($1) AND state = 'active'`;

async function measureServerFloor(pool: pg.Pool, workers: number): Promise<number> {
  await pool.query(`DROP TABLE IF EXISTS floor; ${floorTable}`);
  await pool.query(`INSERT INTO floor SELECT n, 'ready', 0, $2 FROM generate_series(1, $1::int) AS n`, [
    count,
    payload,
  ]);
  const lane = async (): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>({ name: 'floor_claim', text: floorClaim });
    await pool.query({ name: 'floor_done', text: floorDone, values: [rows.map(({ id }) => id)] });
    return rows.length;
  };
  return rateOf(Array.from({ length: workers }, () => lane));
}

async function measureSqliteFloor(file: string): Promise<number> {
  const database = new SqliteDatabase(file);
  database.configure();
  database.execute(floorTable);
  database.write(() => {
    for (const index of keys.keys())
      database.run(`INSERT INTO floor VALUES (?, 'ready', 0, ?)`, index, payload);
  });
  const rate = await rateOf([
    () => {
      const rows = database.write(() => {
        const next = database.all<{ id: number }>(
          `SELECT id, payload FROM floor WHERE state = 'ready' ORDER BY id LIMIT ${batch}`,
        );
        for (const { id } of next)
          database.run(`UPDATE floor SET state = 'active', fence = fence + 1 WHERE id = ?`, id);
        return next;
      });
      database.write(() => {
        for (const { id } of rows)
          database.run(`UPDATE floor SET state = 'done' WHERE id = ? AND state = 'active'`, id);
      });
      return Promise.resolve(rows.length);
    },
  ]);
  database.close();
  return rate;
}

const percentiles = (values: number[]): string => {
  values.sort((first, second) => first - second);
  const at = (quantile: number): string => values[Math.floor(quantile * (values.length - 1))]!.toFixed(1);
  return `${at(0.5)} / ${at(0.99)}`;
};

/** From offering a task to its claim by a worker, at a hundred per second. */
async function measureDelay(open: () => DispatchStore): Promise<string> {
  const [host, coordinator] = [open(), open()];
  const worker = await register(coordinator, 'delay');
  const offeredAt = new Map<string, number>();
  const delays: number[] = [];
  let isClaiming = false;
  let isWanted = false;
  const claim = async (): Promise<void> => {
    isWanted = true;
    if (isClaiming) return;
    isClaiming = true;
    for (; isWanted;) {
      isWanted = false;
      const tasks = (await coordinator.claim([{ ...worker, free: batch }])).get(worker.id) ?? [];
      for (const { key } of tasks) delays.push(performance.now() - offeredAt.get(key)!);
    }
    isClaiming = false;
  };
  const stop = coordinator.onWake((kind) => void (kind === 'offered' && claim()));
  await pause(200);
  const names = Array.from({ length: 500 }, (_, index) => `delay-${index}`);
  await new Promise<void>((resolve) => {
    let next = 0;
    const stopOffering = systemClock.every(10, () => {
      const key = names[next++];
      if (key === undefined) {
        stopOffering();
        resolve();
        return;
      }
      offeredAt.set(key, performance.now());
      void host.offer(tasksOf([key]));
    });
    systemClock.after(20_000, () => {});
  });
  while (delays.length < names.length) await pause(10);
  stop();
  await host.cancel(names, 'kill');
  await host.forget(names);
  await Promise.all([host.close(), coordinator.close()]);
  return percentiles(delays);
}

/** Cost of the heartbeats of a thousand idle workers, in milliseconds. */
async function measureBeats(store: DispatchStore): Promise<number> {
  const workers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => register(store, `idle-${index}`)),
  );
  const beats = workers.map((worker) => ({ ...worker, running: [], load: 0.1, freeBytes: 1e9 }));
  const started = performance.now();
  for (let round = 0; round < 20; round += 1) await store.beat(beats);
  return (performance.now() - started) / 20;
}

async function measureBeatFloor(pool: pg.Pool): Promise<number> {
  const ids = Array.from({ length: 1000 }, (_, index) => `idle-${index}`);
  const started = performance.now();
  for (let round = 0; round < 20; round += 1)
    await pool.query({
      name: 'floor_beat',
      text: 'UPDATE worker SET beat_at = beat_at + 1 WHERE id = ANY ($1)',
      values: [ids],
    });
  return (performance.now() - started) / 20;
}

/** One claim while ten thousand older tasks wait for other workers. */
async function measureCrowd(store: DispatchStore): Promise<string> {
  const others = Array.from({ length: 10_000 }, (_, index) => `other-${index}`);
  await offerAll(store, others, { selector: { zone: 'us' } });
  const worker = await register(store, 'crowd');
  const delays: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    await store.offer(tasksOf([`own-${index}`]));
    const started = performance.now();
    const got = await store.claim([{ ...worker, free: 1 }]);
    delays.push(performance.now() - started);
    if (got.size !== 1) throw new Error('the task was not found');
  }
  await store.cancel(others, 'kill');
  await store.forget(others);
  return percentiles(delays);
}

async function measure(
  open: () => DispatchStore,
  floors: ReadonlyMap<number, number>,
): Promise<DispatchStore> {
  row('', 'a second', 'of the floor', 'budget');
  row('---', '---:', '---:', '---:');
  for (const [workers, floor] of floors) {
    const { offered, done } = await measureHandOver(open, workers);
    const seconds = (count / done).toFixed(2);
    row(`plain claim and done, ${workers} worker(s)`, floor.toFixed(0), '', '');
    row(`offered, 100 at a time`, offered.toFixed(0), (offered / floor).toFixed(2), '');
    row(
      `claim, begin, settle, ${workers} worker(s): ${count} in ${seconds} s`,
      done.toFixed(0),
      (done / floor).toFixed(2),
      String(budget),
    );
  }
  print(`\ndelay at 100 a second, p50 / p99 ms: ${await measureDelay(open)}`);
  const store = open();
  print(`claim behind 10,000 tasks for others, p50 / p99 ms: ${await measureCrowd(store)}`);
  print(`Heartbeats of 1,000 idle workers: ${(await measureBeats(store)).toFixed(1)} ms, every 5 s`);
  return store;
}

async function measureServer(server: TestPostgres): Promise<void> {
  await prepareServerDatabase(server.url);
  const pool = new pg.Pool({ connectionString: server.url, options: '-c search_path=stepwright', max: 8 });
  pool.on('error', () => undefined);
  const open = (): DispatchStore => openDispatch({ url: server.url }, systemClock);
  const floors = new Map<number, number>();
  for (const workers of [1, 4]) floors.set(workers, await measureServerFloor(pool, workers));
  const store = await measure(open, floors);
  print(`plain update of the same 1,000 rows: ${(await measureBeatFloor(pool)).toFixed(1)} ms`);
  await store.close();
  await pool.end();
}

const folder = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
try {
  print('## SQLite');
  const floor = await measureSqliteFloor(path.join(folder, 'floor.db'));
  const open = (): DispatchStore => openDispatch({ file: path.join(folder, 'home.db') }, systemClock);
  await (await measure(open, new Map([[1, floor]]))).close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const version of postgresVersions) {
  const missing = missingForPostgres(version);
  if (missing !== undefined) {
    print(`## PostgreSQL ${version} is missing here: ${missing}`);
    continue;
  }
  print(`\n## PostgreSQL ${version}, commits synced`);
  const server = await TestPostgres.start(version, ['fsync=on']);
  try {
    await measureServer(server);
  } finally {
    await server.close();
  }
}
process.exit(0);
