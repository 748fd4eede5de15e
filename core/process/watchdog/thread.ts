/** The watchdog: a thread that keeps running when the event loop of the main thread is blocked. */
import { appendFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { toIso } from '../../base/clock.ts';
import { systemClock } from '../../base/system-clock.ts';
import { CrashRecords } from './crash-records.ts';
import { cells, StallWatch, signalModes, type StallActions, type StallReport } from './stall-watch.ts';
import type { WatchdogData, WatchdogSettings } from './watchdog.ts';

const { memory, limits, endExpression, reportExpression } = workerData as WatchdogData;
const shared = new Int32Array(memory);
/** Checks during which the main thread can end the process itself, before the system ends it. */
const ticksUntilKill = 3;

let settings: WatchdogSettings = {};
let crashes: CrashRecords | undefined;
parentPort?.on('message', (next: WatchdogSettings) => {
  settings = { ...settings, ...next };
  if (next.dataFolder !== undefined) crashes = new CrashRecords(next.dataFolder, systemClock.now());
});

/** Interrupts the main thread, whatever JavaScript or regular expression it is executing. */
function evaluate(expression: string): Promise<unknown> {
  return new Promise((resolve) => {
    const session = new Session();
    try {
      session.connectToMainThread();
    } catch {
      resolve(undefined);
      return;
    }
    session.post('Runtime.evaluate', { expression, returnByValue: true }, (_error, response) => {
      session.disconnect();
      resolve(response?.result.value);
    });
  });
}

let remainingTicks = ticksUntilKill;

const actions: StallActions = {
  async captureReport() {
    const text = await evaluate(reportExpression);
    return typeof text === 'string' ? (JSON.parse(text) as StallReport) : undefined;
  },
  log(message, fields) {
    const { json = false, logFile } = settings;
    const entry = { time: toIso(systemClock.now()), level: 'error', message, ...fields };
    const { stack = '' } = fields;
    const text = `engine: error: ${message}${stack === '' ? '' : `\n${stack}`}`;
    attempt(() => writeSync(2, `${json ? JSON.stringify(entry) : text}\n`));
    if (logFile !== undefined)
      attempt(() => appendFileSync(logFile, `${JSON.stringify({ at: entry.time, ...entry })}\n`));
  },
  note({ id, activity }, blockedMs) {
    if (id === undefined || activity === undefined) return;
    crashes?.write({ id, activity, at: toIso(systemClock.now()), blockedMs });
  },
  forget: () => crashes?.clear(),
  end(code) {
    if (remainingTicks === ticksUntilKill) void evaluate(endExpression.replace('CODE', String(code)));
    remainingTicks -= 1;
    // In native code, the main thread cannot be interrupted.
    if (remainingTicks === 0) process.kill(process.pid, 'SIGKILL');
  },
};

/** Runs work and ignores errors: an unwritable log must not prevent the process from being ended. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Closed, or on a full disk.
  }
}

const watch = new StallWatch(shared, limits, actions);
let stopListening: (() => void) | undefined;
let lastTickAt = systemClock.monotonic();

function tick(): void {
  const now = systemClock.monotonic();
  if (stopListening === undefined && Atomics.load(shared, cells.signals) !== signalModes.unhandled)
    stopListening = listenToSignals();
  watch.tick(now - lastTickAt);
  lastTickAt = now;
  systemClock.after(limits.tickMs, tick);
}
tick();

/** The used part of Node's own wrapper of `uv_signal_t`. */
interface SignalHandle {
  onsignal(): void;
  start(signal: number): number;
  unref(): void;
  close(): void;
}

/**
 * Listens to signals in addition to the main thread. libuv notifies each loop that listens, but `process.on` does
 * nothing in a worker, so the thread is started with `--expose-internals`. Without it, a blocked loop is still ended at
 * its limit.
 */
function listenToSignals(): () => void {
  const handles: SignalHandle[] = [];
  attempt(() => {
    const { internalBinding } = createRequire(import.meta.url)('internal/test/binding') as {
      internalBinding(name: 'signal_wrap'): { Signal: new () => SignalHandle };
    };
    const { Signal } = internalBinding('signal_wrap');
    for (const [name, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
    ] as const) {
      const handle = new Signal();
      handle.unref();
      handle.onsignal = () => watch.signal(name);
      handle.start(number);
      handles.push(handle);
    }
  });
  return () => handles.forEach((handle) => handle.close());
}
