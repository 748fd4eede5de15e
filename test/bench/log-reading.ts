/**
 * Reading step logs of 100 MB and 1 GB: the first screen, line numbers far into the log, the whole index, and
 * its memory. Run: `node --expose-gc test/bench/log-reading.ts [megabytes ...]`. Needs that much space in the
 * temporary folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogReader } from '../../core/run/logs/log-reader.ts';
import { systemClock } from '../../core/base/system-clock.ts';

const sizes = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'stepwright-bench-'));
const file = join(folder, 'stdout.log');

try {
  for (const megabytes of sizes.length > 0 ? sizes : [100, 1000]) {
    await fill(
      megabytes,
      '2026-11-20T10:00:00Z INFO loaded row of region north, 42 columns checked, none refused\n',
    );
    await measure(`${megabytes} MB of lines`);
    await fill(megabytes, 'x'.repeat(99));
    await measure(`${megabytes} MB without a line end`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(megabytes: number, line: string): Promise<void> {
  const block = Buffer.from(line.repeat(Math.floor(1_000_000 / line.length)));
  await using handle = await open(file, 'w');
  for (let written = 0; written < megabytes; written += 1) await handle.write(block);
}

async function measure(label: string): Promise<void> {
  console.log(`\n${label}`);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const reader = new LogReader({ clock: systemClock });
  const delay = watchLoop();
  await time('first screen (tail of 200), nothing indexed', () =>
    reader.lines(file, { from: -200, count: 200 }, true),
  );
  await time('first screen again, while indexing', () =>
    reader.lines(file, { from: -200, count: 200 }, true),
  );
  await time('line 0', () => reader.lines(file, { from: 0, count: 200 }, true));
  const { totalLines } = await time('whole index', () => reader.lines(file, { from: 1e12 }, true));
  await time('last screen, indexed', () => reader.lines(file, { from: -200, count: 200 }, true));
  await time('screen in the middle, indexed', () =>
    reader.lines(file, { from: Math.floor(totalLines / 2), count: 200 }, true),
  );
  const maxLength = delay.stop();
  const grown = (process.memoryUsage().rss - before) / 1e6;
  console.log(
    `  ${totalLines} lines; memory +${grown.toFixed(0)} MB; event loop held up for at most ${maxLength.toFixed(1)} ms`,
  );
  reader.close();
}

async function time<Value>(label: string, operation: () => Promise<Value>): Promise<Value> {
  const began = performance.now();
  const value = await operation();
  console.log(`  ${label.padEnd(46)} ${(performance.now() - began).toFixed(1).padStart(8)} ms`);
  return value;
}

/** The longest time between two event-loop ticks. */
function watchLoop(): { stop(): number } {
  let last = performance.now();
  let maxLength = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    maxLength = Math.max(maxLength, now - last - 1);
    last = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return maxLength;
    },
  };
}
