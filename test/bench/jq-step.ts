/**
 * Cost of a step of type `jq`: 200 small queries in a chain, compared with the same queries in a warm thread
 * without an engine, in the same run. `node test/bench/jq-step.ts [steps]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEngine, systemClock } from '../../core/index.ts';
import { JqPool } from '../../core/executors/jq/jq-pool.ts';
import { jqJob } from '../core/executors/step-harness.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = Number(process.argv[2] ?? 200);
const budgetMs = 5;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const step = '  - { type: jq, command: .a, script: \'{"a": 1}\' }\n';

/** Milliseconds per query, in one warm thread. */
async function measureBaseline(): Promise<number> {
  const pool = new JqPool(1);
  const ask = () =>
    pool.run({
      job: jqJob('.a', '{"a": 1}'),
      sink: { stdout() {}, stderr() {} },
      signal: new AbortController().signal,
      clock: systemClock,
    });
  for (let index = 0; index < 20; index += 1) await ask();
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await ask();
  return (performance.now() - started) / count;
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const engine = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'bench' });

/** Milliseconds per step of a chain. */
async function measureChain(steps: number): Promise<number> {
  const started = performance.now();
  const run = await engine.startRun({ source: { spec: `steps:\n${step.repeat(steps)}` }, trigger: 'api' });
  const created = performance.now();
  const end = await engine.waitForEnd(run);
  if (end.status !== 'succeeded') throw new Error(`the run ended as ${end.status}: ${end.error}`);
  return (performance.now() - (steps === 1 ? started : created)) / steps;
}

const first = await measureChain(1);
await measureChain(20);
const floor = await measureBaseline();
const perStep = await measureChain(count);
print(`${count} steps; budget ${budgetMs} ms a warm step`);
print('| first run with one step, ms | bare query, ms | step, ms | added, ms |');
print('|---:|---:|---:|---:|');
print(`| ${[first, floor, perStep, perStep - floor].map((value) => value.toFixed(2)).join(' | ')} |`);
await engine.close('stop');
rmSync(home, { recursive: true, force: true });
