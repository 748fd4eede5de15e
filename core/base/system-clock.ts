// A file of its own: the only module that may use the clock and timers of the machine (scripts/layers.ts).
import type { Clock, Dispose } from './clock.ts';

/** The longest delay Node's timers take; larger ones fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's own clocks and timers. The only place where the engine touches them. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Node loads `performance` on first use, which takes two milliseconds.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after(delayMs, callback) {
    return splitTimer(Math.max(0, delayMs), callback);
  },
  soon(callback) {
    setImmediate(callback);
  },
  every(intervalMs, callback) {
    const timer = setInterval(callback, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Waits for `delayMs` by as many timers as it takes. */
function splitTimer(delayMs: number, callback: () => void): Dispose {
  let timer: NodeJS.Timeout;
  const wait = (remainingMs: number): void => {
    const waitMs = Math.min(remainingMs, maxTimerMs);
    timer = setTimeout(() => (remainingMs > waitMs ? wait(remainingMs - waitMs) : callback()), waitMs);
  };
  wait(delayMs);
  return () => clearTimeout(timer);
}
