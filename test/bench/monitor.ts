/**
 * Cost of the resource monitor at the default interval: CPU time of this process for one sample, idle and
 * with runs, as a share of five seconds. `node test/bench/monitor.ts [samples]`
 */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import si from 'systeminformation';
import { openEngine, type Engine } from '../../core/index.ts';
import { FakeClock, silentLogger } from '../harness/fakes.ts';
import { defaultConfig } from '../harness/engine.ts';

const readings = Number(process.argv[2] ?? 200);
const budgetPercent = 0.3;
const intervalMs = defaultConfig.monitor.intervalSec * 1000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Uses the real components; only the delay between two samples is left out. */
class FastClock extends FakeClock {
  readonly #started = performance.now();
  override monotonic(): number {
    return super.monotonic() + performance.now() - this.#started;
  }
}

/** CPU milliseconds per sample, including kernel time. */
async function measure(takeReading: () => Promise<unknown>, times = readings): Promise<number> {
  for (let index = 0; index < 20; index += 1) await takeReading();
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await takeReading();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 40; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

async function countReadings(host: Engine): Promise<number> {
  const history = await host.api.call(
    'services.resourceHistory',
    { points: 100_000 },
    { via: 'cli', name: 'bench' },
  );
  return history.memory.length;
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const clock = new FastClock(Date.now());
const host = await openEngine({ home, clock, logger: silentLogger, version: 'bench' });
host.monitorResources();
const takeReading = async (): Promise<void> => {
  clock.advance(intervalMs);
  await settle();
};
const floor = await measure(settle);
const report = (what: string, milliseconds: number): void => {
  const percent = (100 * milliseconds) / intervalMs;
  const verdict = percent < budgetPercent ? 'within' : 'OVER';
  print(
    `${what.padEnd(34)} ${milliseconds.toFixed(2).padStart(7)} ms  ${percent.toFixed(3)} %  ${verdict} ${budgetPercent} %`,
  );
};
try {
  const processes = readdirSync('/proc').filter((name) => /^\d/.test(name)).length;
  print(`CPU of one reading, every ${intervalMs / 1000} s; ${processes} processes on this machine`);
  report('machine alone', (await measure(takeReading)) - floor);
  for (const runs of [1, 20]) {
    const spec = `name: run-${runs}\nmaxActiveRuns: -1\nsteps:\n  - sleep 600\n`;
    for (let index = 0; index < runs; index += 1) await host.startRun({ source: { spec }, trigger: 'api' });
    await pause(500);
    report(`with active runs (${host.activeExecutions().length})`, (await measure(takeReading)) - floor);
  }
  print(`readings kept: ${await countReadings(host)}`);
  // Cost of asking the library, without the CPU time of the programs that it starts.
  const ask = async (): Promise<void> => void (await Promise.all([si.currentLoad(), si.mem(), si.fsSize()]));
  report('systeminformation, machine alone', await measure(ask, 20));
} finally {
  for (const run of host.activeExecutions()) host.forceStop(run);
  const closed = host.close('stop');
  for (let over = false; !over; await settle()) {
    clock.advance(100);
    over = await Promise.race([closed.then(() => true), settle().then(() => false)]);
  }
  rmSync(home, { recursive: true, force: true });
}
