/**
 * A step with 1,000 items: time until the first starts, time until its limit is reached, and overhead of the
 * engine per item, compared with the same processes started directly from Node in the same run. Run: `node
 * test/bench/parallel-items.ts`. Budget: items run within 1 s, never more than the limit.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEngine, systemClock, type Engine } from '../../core/index.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = 1000;
const caller = { via: 'cli', name: 'bench' } as const;

interface Figures {
  readonly first: number;
  readonly full: number;
  readonly max: number;
  readonly perItem: number;
}

async function measureItems(engine: Engine, limit: number): Promise<Figures> {
  const items = Array.from({ length: count }, (_, index) => index).join(' ');
  // Long enough to reach the limit, short enough for the rest to follow.
  const spec = `steps:\n  - command: sleep ${limit / 100}\n    parallel: { items: "${items}", maxConcurrent: ${limit} }\n`;
  const started = performance.now();
  let [running, max, first, full] = [0, 0, 0, 0];
  const run = await engine.startRun({ source: { spec }, trigger: 'api' });
  const dispose = engine.api.follow(
    'events.follow',
    { ...run, after: 0 },
    {
      item: ({ event }) => {
        if (event.type === 'step.item_finished') running -= 1;
        if (event.type !== 'step.item_started') return;
        running += 1;
        max = Math.max(max, running);
        first ||= performance.now() - started;
        if (running === limit) full ||= performance.now() - started;
      },
      end: () => {},
    },
    caller,
  );
  const end = await engine.waitForEnd(run);
  dispose();
  if (end.status !== 'succeeded') throw new Error(`the run ended as ${end.status}: ${end.error}`);
  return { first, full, max, perItem: (performance.now() - started) / count };
}

async function measureBaseline(limit: number): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: limit }, async (_, lane) => {
      for (let index = lane; index < count; index += limit) await startDirectly(`sleep ${limit / 100}`);
    }),
  );
  return (performance.now() - started) / count;
}

function startDirectly(command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const engine = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'bench' });
console.log(`${count} items; budget: the limit is reached within 1,000 ms`);
console.log('| limit | first item ms | limit reached ms | most at once | floor ms/item | engine ms/item |');
console.log('|---:|---:|---:|---:|---:|---:|');
for (const limit of [10, 100]) {
  const floor = await measureBaseline(limit);
  const { first, full, max, perItem } = await measureItems(engine, limit);
  const cells = [limit, first, full, max].map((value) => value.toFixed(0));
  console.log(`| ${cells.join(' | ')} | ${floor.toFixed(2)} | ${perItem.toFixed(2)} |`);
}
await engine.close('stop');
rmSync(home, { recursive: true });
