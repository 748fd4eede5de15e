/**
 * Copying a home to PostgreSQL and back, indexes and verification included. Run:
 * `node test/bench/copy-database.ts [runs] [postgres://…]`; without a URL on a server of the tests. A run has seven
 * rows. Needs about 1 kB per run in the temporary folder, three times.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../core/base/system-clock.ts';
import type { CopyPhase } from '../../core/store/copy/copy-rows.ts';
import { copyHomeDatabase, parseLocation } from '../../core/store/maintenance/copy-database.ts';
import { openDatabase } from '../../core/store/open-store.ts';
import { TestPostgres } from '../harness/servers/postgres.ts';
import { reportMetric } from './rig/figures.ts';
import { fillRuns, fillSteps } from './rig/fill-runs.ts';

const runCount = Number(process.argv[2] ?? 200_000);
const folder = mkdtempSync(join(tmpdir(), 'stepwright-bench-'));
const file = join(folder, 'engine.db');
const server = process.argv[3] === undefined ? await TestPostgres.start(15, ['fsync=on']) : undefined;
const url = `${server?.url ?? process.argv[3]!}?schema=bench_${process.pid}`;

try {
  openDatabase(file).close();
  fillRuns(file, runCount, 1000);
  fillSteps(file);
  console.log(
    `${runCount} runs, ${Math.round(statSync(file).size / 1e6)} MB, load ${loadavg()[0]!.toFixed(1)}`,
  );
  await measure('file to PostgreSQL', file, url);
  await measure('PostgreSQL to file', url, join(folder, 'back.db'));
} finally {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(label: string, from: string, to: string): Promise<void> {
  const began = performance.now();
  const before = process.cpuUsage();
  const ends = new Map<CopyPhase, number>();
  const onProgress = (phase: CopyPhase): void => void ends.set(phase, performance.now());
  const { tables } = await copyHomeDatabase(parseLocation(from, ''), parseLocation(to, ''), systemClock, {
    onProgress,
  });
  const seconds = (performance.now() - began) / 1000;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  let last = began;
  const phases = [...ends].map(([phase, end]) => {
    const took = `${phase} ${((end - last) / 1000).toFixed(1)} s`;
    last = end;
    return took;
  });
  const rate = rows / seconds;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${label}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rate)} rows/s (${phases.join(', ')}; processor ${((user + system) / 1e6).toFixed(1)} s), load ${loadavg()[0]!.toFixed(1)}`,
  );
  reportMetric({ what: `copy ${label}`, figure: rate, unit: 'rows a second', budget: 20_000, isLeast: true });
}
