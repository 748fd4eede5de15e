/**
 * 10,000 workflow files with schedules: reading them, becoming the active scheduler, checking the clock, and
 * the delay of scheduled starts. Prints milliseconds. Run: `node test/bench/scheduler-10k.ts [files]
 * [seconds]`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { openEngine, systemClock } from '../../core/index.ts';
import { BaseFile } from '../../core/home/library/base-file.ts';
import { readSpecFile } from '../../core/home/library/read-spec.ts';
import { DueQueue } from '../../core/run/scheduler/due-queue.ts';
import { DagIndex, scheduleFingerprint } from '../../core/run/scheduler/dag-index.ts';
import { openStore } from '../../core/store/open-store.ts';
import { reportMetric } from './rig/figures.ts';
import { silentLogger } from '../harness/fakes.ts';

const [files = 10_000, seconds = 20] = process.argv.slice(2).map(Number);
const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const dags = path.join(home, 'dags');
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

const show = (what: string, milliseconds: number, cpu?: number): void =>
  console.log(
    `${what.padEnd(58)} ${milliseconds.toFixed(2).padStart(10)} ms${cpu === undefined ? '' : `, CPU ${cpu.toFixed(0)} ms`}`,
  );

async function measure<Value>(
  what: string,
  work: () => Value | Promise<Value>,
  budget?: number,
): Promise<Value> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const value = await work();
  const { user, system } = process.cpuUsage(cpu);
  const took = performance.now() - begin;
  show(what, took, (user + system) / 1000);
  if (budget !== undefined) reportMetric({ what, figure: took, unit: 'ms', budget });
  return value;
}

try {
  writeDagFiles();
  await measureParts();
  await measureWhole();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** None is due in the next hour except those of `measureWhole`, and each is a workflow of four steps. */
function writeDagFiles(): void {
  mkdirSync(dags, { recursive: true });
  const hour = (new Date().getUTCHours() + 3) % 20;
  for (let file = 0; file < files; file += 1) {
    const schedule = `CRON_TZ=${zones[file % zones.length]} ${file % 60} ${(hour + (file % 4)) % 24} * * ${file % 2 === 0 ? '*' : '1-5'}`;
    const steps = ['extract', 'check', 'load', 'report'].map(
      (name) => `  - name: ${name}\n    command: echo ${name}\n    retryPolicy: {limit: 2, intervalSec: 5}\n`,
    );
    writeFileSync(
      path.join(dags, `job-${file}.yaml`),
      `name: job-${file}\ndescription: Job ${file} of the bench\ntags: [bench, n${file % 50}]\nschedule: "${schedule}"\nsteps:\n${steps.join('')}`,
    );
  }
}

async function measureParts(): Promise<void> {
  const base = new BaseFile({ file: path.join(home, 'base.yaml'), isNamed: false }, systemClock);
  const index = new DagIndex(dags, base, systemClock, silentLogger);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await measure(`read the schedules of ${files} files`, () => index.scan());
  delay.disable();
  show('  longest hold-up of the event loop meanwhile', delay.max / 1e6);
  await measure('check all files again, none has changed', () => index.scan());
  await measure('floor: load every file as a whole', () => {
    for (let file = 0; file < files; file += 1) readSpecFile(path.join(dags, `job-${file}.yaml`));
  });
  const store = openStore({ file: path.join(home, 'bench.db') });
  const known = [...index.dags.values()].map((dag) => ({ dag: dag.dag, mark: scheduleFingerprint(dag) }));
  await measure('register them in the database, first time', () =>
    store.schedule.rememberSchedules(known, Date.now()),
  );
  await measure('register them again', () => store.schedule.rememberSchedules(known, Date.now()));
  store.close();
  const dueQueue = new DueQueue({ zone: undefined, catchup: 'skip', windowMs: 86_400_000 });
  const now = Date.now();
  await measure('schedule them', () => {
    for (const dag of index.dags.values()) dueQueue.set(dag, now);
  });
  const looks = 100_000;
  const begin = performance.now();
  for (let turn = 0; turn < looks; turn += 1) dueQueue.take(now);
  const look = (performance.now() - begin) / looks;
  show('scheduler tick, nothing due (budget 20)', look);
  reportMetric({ what: `scheduler tick, ${files} schedules`, figure: look, unit: 'ms', budget: 20 });
  let due = 0;
  const busy = performance.now();
  while (dueQueue.take(now + 24 * 3_600_000) !== undefined) due += 1;
  show(`take one that is due off the agenda (of ${due})`, (performance.now() - busy) / due);
}

async function measureWhole(): Promise<void> {
  for (let file = 0; file < 20; file += 1)
    writeFileSync(
      path.join(dags, `now-${file}.yaml`),
      'schedule: "* * * * * *"\noverlap: allow\nsteps: ["true"]\n',
    );
  const host = await openEngine({
    home,
    clock: systemClock,
    logger: silentLogger,
    version: 'bench',
    kind: 'scheduler',
  });
  await measure(`start of a scheduler with ${files} files`, () => host.startScheduling(), 3000);
  await pause(seconds * 1000);
  await host.close('stop');
  const database = new SqliteDatabase(path.join(home, 'data/engine.db'), { readonly: true });
  const delays = database
    .prepare<[], { delay: number }>(
      'SELECT run.created_at - slot.at AS delay FROM schedule_slot slot JOIN run ON run.key = slot.run_key ORDER BY 1',
    )
    .all()
    .map(({ delay }) => delay);
  database.close();
  console.log(`${delays.length} slots of 20 workflows that are due every second:`);
  show('  later than its second, median', delays[Math.floor(delays.length / 2)] ?? Number.NaN);
  const late = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
  show('  99 % (budget 1000)', late);
  reportMetric({ what: 'delay of scheduled runs, p99', figure: late, unit: 'ms', budget: 1000 });
}
