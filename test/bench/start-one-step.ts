/**
 * Process time of `engine --version` and of `engine start` with a one-step workflow, locally and through a
 * server, compared with an empty Node script and `/bin/true`. Interleaved, so that load on the machine
 * affects all. Run after a build: `node test/bench/start-one-step.ts [rounds]`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../e2e/rig/test-home.ts';
import { reportMetric } from './rig/figures.ts';

const rounds = Number(process.argv[2] ?? 30);
const engine = process.env['ENGINE_BENCH_FILE'] ?? join(import.meta.dirname, '../../out/cli/engine.js');
const folder = mkdtempSync(join(tmpdir(), 'stepwright-bench-'));
const workflow = join(folder, 'one.yaml');
const environment = { ...process.env, ENGINE_HOME: join(folder, 'home') };
mkdirSync(join(folder, 'home', 'dags'), { recursive: true });
writeFileSync(workflow, 'steps:\n  - "true"\n');
mkdirSync(join(folder, 'served', 'dags'), { recursive: true });
writeFileSync(join(folder, 'served', 'dags', 'one.yaml'), 'steps:\n  - "true"\n');
const server = await startServer(join(folder, 'served'));

/** What is timed; `budget` in milliseconds. */
const commands: readonly { label: string; program: string; words: readonly string[]; budget?: number }[] = [
  { label: '/bin/true', program: '/bin/true', words: [] },
  { label: 'node -e 0', program: process.execPath, words: ['-e', '0'] },
  { label: 'engine --version', program: process.execPath, words: [engine, '--version'], budget: 50 },
  {
    label: 'engine start, one step',
    program: process.execPath,
    words: [engine, 'start', workflow, '-q'],
    budget: 150,
  },
  {
    label: 'engine start, through a server',
    program: process.execPath,
    words: [engine, 'start', 'one', '-q', '--server', server.url],
    budget: 60,
  },
];

try {
  const times = new Map(commands.map(({ label }) => [label, [] as number[]]));
  // The first round fills the compile cache and creates the home; it is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { label, program, words } of commands) {
      const took = time(program, words);
      if (round > 0) times.get(label)?.push(took);
    }
  }
  report(times);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function time(program: string, words: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, words, { env: environment, encoding: 'utf8' });
  const took = performance.now() - began;
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`);
  return took;
}

function report(times: ReadonlyMap<string, number[]>): void {
  const bare = quantile(times.get('node -e 0') ?? [], 0.5);
  console.log(`${rounds} rounds, milliseconds\n`);
  console.log(
    `${''.padEnd(28)}${['min', 'p50', 'p95', 'over node', 'budget'].map((word) => word.padStart(10)).join('')}`,
  );
  for (const { label, budget } of commands) {
    const own = times.get(label) ?? [];
    if (budget !== undefined)
      reportMetric({ what: label, floor: bare, figure: quantile(own, 0.5), unit: 'ms', budget });
    const figures = [quantile(own, 0), quantile(own, 0.5), quantile(own, 0.95), quantile(own, 0.5) - bare];
    console.log(
      `${label.padEnd(28)}${figures.map((figure) => figure.toFixed(1).padStart(10)).join('')}${String(budget ?? '').padStart(10)}`,
    );
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}
