/**
 * Run by exhaustion.test.ts in a process with few file descriptors: uses them all up, launches, and releases some when
 * the launcher waits. Prints the outcome of the launch.
 *   node exhaustion.ts RUN_DIR free|keep|cancel [relay]
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { FakeClock } from '../../harness/fakes.ts';

const [runDir = '', then, relay] = process.argv.slice(2);
const attemptDir = join(runDir, 'attempt');
mkdirSync(attemptDir);
const held: number[] = [];
try {
  for (;;) held.push(openSync('/dev/null', 'r'));
} catch {
  // That was the last one.
}

const clock = new FakeClock();
const progress = { settled: false };
const launching = new LocalLauncher(clock)
  .launch({
    argv: ['true'],
    env: { PATH: process.env.PATH ?? '' },
    cwd: runDir,
    attemptDir,
    stopSignal: 'SIGTERM',
    cleanUpMs: 1000,
    isCancelled: () => then === 'cancel',
    relay: relay === undefined ? undefined : { copies: { stdout: join(runDir, 'copy') } },
  })
  .finally(() => (progress.settled = true));

let waits = 0;
while (!progress.settled) {
  await new Promise((resolve) => setImmediate(resolve));
  // A process that has ended by now may have its own timers.
  if (progress.settled || clock.pending === 0) continue;
  waits += 1;
  if (then === 'free') for (const file of held.splice(0)) closeSync(file);
  clock.advance(10_000);
}
for (const file of held) closeSync(file);
const launched = await launching;
const outcome = launched.ok ? await launched.value.ended : launched.error;
console.log(JSON.stringify({ waits, outcome }));
