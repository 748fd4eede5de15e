/**
 * Overhead of the engine per step: 1,000 steps `true` as a chain and in parallel, compared with the same
 * processes started directly from Node in the same run. `node test/bench/step-overhead.ts [steps]`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openEngine, systemClock, type Engine } from '../../core/index.ts';
import { reportMetric } from './rig/figures.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = Number(process.argv[2] ?? 1000);
/** Concurrent processes where no order is required; more gains nothing on two cores. */
const atOnce = 8;
const budgetMs = 1.5;
const loopBudgetMs = 20;

const chain = `steps:\n${'  - "true"\n'.repeat(count)}`;
const wide = `type: graph\nmaxActiveSteps: ${atOnce}\nsteps:\n${'  - command: "true"\n'.repeat(count)}`;
const unbounded = `type: graph\nsteps:\n${'  - command: "true"\n'.repeat(count)}`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function startDirectly(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', 'true'], { detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

/** Milliseconds per process, `lanes` at a time. */
async function measureBaseline(lanes: number): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let index = lane; index < count; index += lanes) await startDirectly();
    }),
  );
  return (performance.now() - started) / count;
}

/** Milliseconds per step, and the longest the event loop was blocked. */
async function measureRun(engine: Engine, spec: string): Promise<{ perStep: number; loop: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  const run = await engine.startRun({ source: { spec }, trigger: 'api' });
  const created = performance.now() - started;
  delay.reset();
  const end = await engine.waitForEnd(run);
  const perStep = (performance.now() - started - created) / count;
  delay.disable();
  if (end.status !== 'succeeded') throw new Error(`the run ended as ${end.status}: ${end.error}`);
  return { perStep, loop: delay.max / 1e6 };
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const engine = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'bench' });
print(
  `${count} steps; budget ${budgetMs} ms a step above the floor, loop never held up over ${loopBudgetMs} ms`,
);
print('| shape | floor ms/step | engine ms/step | overhead ms | ratio | longest loop delay ms |');
print('|---|---:|---:|---:|---:|---:|');
for (const [shape, lanes, spec] of [
  ['chain', 1, chain],
  [`wide, ${atOnce} concurrent`, atOnce, wide],
  ['wide, no limit', atOnce, unbounded],
] as const) {
  const floor = await measureBaseline(lanes);
  const { perStep, loop } = await measureRun(engine, spec);
  const ratio = perStep / floor;
  const shapeLabel = shape === 'chain' ? `chain of ${count}` : shape.replace('wide', `${count} in parallel`);
  reportMetric({
    what: `step of a run: ${shapeLabel} (budget: floor + ${budgetMs})`,
    floor,
    figure: perStep,
    unit: 'ms',
    budget: floor + budgetMs,
  });
  reportMetric({
    what: `event loop blocked by starting steps: ${shapeLabel}`,
    figure: loop,
    unit: 'ms',
    budget: loopBudgetMs,
  });
  print(
    `| ${shape} | ${[floor, perStep, perStep - floor, ratio].map((value) => value.toFixed(2)).join(' | ')} | ${loop.toFixed(0)} |`,
  );
}
await engine.close('stop');
rmSync(home, { recursive: true, force: true });
