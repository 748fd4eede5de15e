/**
 * Queues: how many runs per second are enqueued durably, and how many are claimed and started, compared with
 * disk commits and process starts in the same run. `node test/bench/queue.ts [runs]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openEngine, systemClock, type Engine } from '../../core/index.ts';
import { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { reportMetric } from './rig/figures.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = Number(process.argv[2] ?? 2000);
const enqueueBudget = 1000;
const startBudget = 200;
/** Maximum number of active runs of the queue. */
const atOnce = 8;
/** Concurrent callers; those within one event-loop tick share a commit. */
const clients = 16;
const min = { unit: 'per second', isLeast: true };
const caller = { via: 'cli', name: 'bench' } as const;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Performs an operation `count` times, `lanes` at a time; returns operations per second. */
async function rateOf(lanes: number, work: (index: number) => unknown): Promise<number> {
  const started = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (1000 * count) / (performance.now() - started);
}

/** Minimal durable transactions. */
async function measureDisk(folder: string): Promise<number> {
  const database = new SqliteDatabase(path.join(folder, 'floor.db'));
  database.configure();
  database.execute('CREATE TABLE floor (value INTEGER)');
  const rate = await rateOf(1, (index) =>
    database.write(() => database.run('INSERT INTO floor VALUES (?)', index)),
  );
  database.close();
  return rate;
}

/** Processes like those of the runs, started directly from Node. */
const measureProcesses = (): Promise<number> =>
  rateOf(atOnce, () => once(spawn('sh', ['-c', 'true'], { detached: true, stdio: 'ignore' }), 'exit'));

function measureEnqueue(engine: Engine): Promise<number> {
  const spec = 'name: bench\nqueue: bench\nsteps:\n  - "true"\n';
  return rateOf(clients, (index) =>
    engine.enqueueRun({ source: { spec }, trigger: 'api', dagRunId: `run-${index}` }),
  );
}

/** Until the last run has started. The runs finish by themselves meanwhile. */
function measureStarts(engine: Engine): Promise<{ rate: number; loop: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const hasStarted = performance.now();
  return new Promise((resolve) => {
    let started = 0;
    const item = ({ event }: { event: { type: string } }): void => {
      if (event.type !== 'run.started') return;
      started += 1;
      if (started < count) return;
      dispose();
      resolve({ rate: (1000 * count) / (performance.now() - hasStarted), loop: delay.max / 1e6 });
    };
    const dispose = engine.api.follow('events.follow', {}, { item, end() {} }, caller);
    engine.processQueues();
  });
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
writeFileSync(
  path.join(home, 'config.yaml'),
  `queues: {config: [{name: bench, maxConcurrency: ${atOnce}}]}\n`,
);
const engine = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'bench' });
systemClock.after(Number.MAX_SAFE_INTEGER, () => {});
const row = (what: string, rate: number, budget: string, floor: string): void =>
  print(`| ${what} | ${rate.toFixed(0)} | ${budget} | ${floor} |`);
try {
  print(`${count} runs, ${atOnce} active at once`);
  print('| | a second | budget | of the floor |\n|---|---:|---:|---:|');
  const disk = await measureDisk(home);
  row('commits of the disk, one after the other', disk, '', '');
  const enqueued = await measureEnqueue(engine);
  row(`enqueued by ${clients} callers`, enqueued, String(enqueueBudget), (enqueued / disk).toFixed(1));
  reportMetric({
    what: 'runs enqueued durably',
    floor: disk,
    figure: enqueued,
    ...min,
    budget: enqueueBudget,
  });
  const processes = await measureProcesses();
  row('processes, started directly', processes, '', '');
  const { rate, loop } = await measureStarts(engine);
  row('claimed and started', rate, String(startBudget), (rate / processes).toFixed(2));
  reportMetric({
    what: 'runs claimed and started',
    floor: processes,
    figure: rate,
    ...min,
    budget: startBudget,
  });
  print(`longest hold of the event loop: ${loop.toFixed(0)} ms`);
} finally {
  await engine.close('stop');
  rmSync(home, { recursive: true, force: true });
}
process.exit(0);
