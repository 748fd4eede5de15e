import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { trackActivities, type Activity } from '../../base/activity.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { timings } from '../../base/timings.ts';
import { CrashRecords } from './crash-records.ts';
import { cellCount, cells, signalModes, type StallLimits, type StallReport } from './stall-watch.ts';

/** Input for starting the thread. */
export interface WatchdogData {
  readonly memory: SharedArrayBuffer;
  readonly limits: StallLimits;
  /** Evaluated on the main thread: its `StallReport` as JSON. */
  readonly reportExpression: string;
  /** Evaluated on the main thread: ends the process with `CODE`. */
  readonly endExpression: string;
}

/** Settings that the thread receives once they are known. */
export interface WatchdogSettings {
  /** Directory of the crash records. */
  readonly dataFolder?: string;
  /** Whether lines on stderr are JSON. */
  readonly json?: boolean;
  /** Written in addition to stderr, one JSON object per line. */
  readonly logFile?: string;
}

/** Clean-up time of a run whose workflow sets none, and of a process without runs, in milliseconds. */
const usualCleanUpMs = 5000;

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./thread.ts', import.meta.url)
    : new URL('../watchdog/thread.cjs', import.meta.url);

/** Global name of the functions that the watchdog thread evaluates on the main thread. */
const hooksName = 'stepwright.watchdog';
const stackFrames = 50;

/** The main thread's side of the watchdog: it signals event-loop ticks and the current activity. */
export class Watchdog {
  readonly #clock: Clock;
  /** Called on the main thread before the watchdog ends the process, interrupting the blocking code. */
  readonly #onEnd: (() => void) | undefined;
  readonly #memory = new SharedArrayBuffer(4 * cellCount);
  readonly #cells = new Int32Array(this.#memory);
  readonly #activities = new AsyncLocalStorage<Activity>();
  readonly #setAside = new Set<string>();
  readonly #quarantineListeners: ((what: string) => void)[] = [];
  readonly #worker: Worker;
  readonly #stopHeartbeats: Dispose;
  #findCleanUpMs = (): number => usualCleanUpMs;
  #crashes: CrashRecords | undefined;

  constructor(clock: Clock, onEnd?: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#installHooks();
    this.#worker = startThread({
      memory: this.#memory,
      limits: readLimits(),
      reportExpression: `globalThis[Symbol.for('${hooksName}')].report()`,
      endExpression: `globalThis[Symbol.for('${hooksName}')].end(CODE)`,
    });
    this.#beat();
    this.#stopHeartbeats = clock.every(timings.stallBeat, () => this.#beat());
    trackActivities({
      run: (activity, work) => this.#activities.run(activity, work),
      countCrashes: (activity) => this.#crashes?.count(getId(activity)) ?? 0,
      reportQuarantined: (activity) => this.#reportQuarantined(activity),
      forgetCrashes: (activity) => this.#crashes?.remove(getId(activity)),
    });
  }

  /** Sends the thread the settings that were unknown when it was started. */
  configure(settings: WatchdogSettings): void {
    this.#worker.postMessage(settings);
    if (settings.dataFolder === undefined) return;
    const now = this.#clock.now();
    this.#crashes = new CrashRecords(settings.dataFolder, now);
    this.#crashes.removeOld(now);
  }

  /**
   * @param find returns the longest clean-up time of the runs that this process drives, in milliseconds; 0 without runs
   */
  setCleanUp(find: () => number): void {
    this.#findCleanUpMs = find;
  }

  /** Calls back once for each activity that is quarantined, with its description. */
  onQuarantine(listener: (what: string) => void): void {
    this.#quarantineListeners.push(listener);
  }

  /** Call this when this process handles SIGTERM and SIGINT. */
  handleSignals(mode: 'whileBlocked' | 'always'): void {
    Atomics.store(this.#cells, cells.signals, signalModes[mode]);
  }

  close(): void {
    this.#stopHeartbeats();
    trackActivities(undefined);
    void this.#worker.terminate();
  }

  #reportQuarantined(activity: Activity): void {
    const id = getId(activity);
    if (this.#setAside.has(id)) return;
    this.#setAside.add(id);
    for (const notify of this.#quarantineListeners) notify(getName(activity));
  }

  #beat(): void {
    Atomics.add(this.#cells, cells.beat, 1);
    Atomics.store(this.#cells, cells.debugged, inspectorUrl() === undefined ? 0 : 1);
    Atomics.store(this.#cells, cells.cleanUpMs, Math.max(usualCleanUpMs, this.#findCleanUpMs()));
  }

  #installHooks(): void {
    const hooks = {
      report: (): string => {
        const activity = this.#activities.getStore();
        const report: StallReport = { stack: readStack(), ...(activity && toStalledActivity(activity)) };
        return JSON.stringify(report);
      },
      end: (code: number): void => {
        try {
          this.#onEnd?.();
        } finally {
          // `process.exit` would run exit handlers of modules, one of which may be what blocks.
          (process as unknown as { reallyExit(code: number): never }).reallyExit(code);
        }
      },
    };
    Object.defineProperty(globalThis, Symbol.for(hooksName), { value: hooks, configurable: true });
  }
}

function startThread(data: WatchdogData): Worker {
  const start = (execArgv: string[]): Worker =>
    new Worker(threadUrl(), { workerData: data, env: {}, execArgv, stdout: true, stderr: true });
  let worker: Worker;
  try {
    worker = start(['--expose-internals', '--no-warnings']);
  } catch {
    // The program does not support the option, such as Electron: signals are then only handled by the main thread.
    worker = start([]);
  }
  worker.unref();
  // The process also works without a watchdog.
  worker.on('error', () => {});
  return worker;
}

/** Returns the stack of the main thread, innermost function first, without the frames of this request. */
function readStack(): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = stackFrames;
  const { stack = '' } = new Error('stack');
  Error.stackTraceLimit = before;
  return stack.split('\n').slice(4).join('\n');
}

const toStalledActivity = (activity: Activity): Pick<StallReport, 'activity' | 'id'> => ({
  activity: getName(activity),
  ...(activity.kind === 'request' ? {} : { id: getId(activity) }),
});

function getName(activity: Activity): string {
  switch (activity.kind) {
    case 'run':
      return `run ${activity.dagRunId} of ${activity.dag}`;
    case 'delivery':
      return `received webhook ${activity.receivedKey}`;
    case 'check':
      return activity.file ?? 'validation of a workflow';
    case 'request':
      return `request ${activity.operation}`;
  }
}

function getId(activity: Activity): string {
  switch (activity.kind) {
    case 'run':
      return `run ${activity.dag}/${activity.dagRunId}`;
    case 'delivery':
      return `delivery ${activity.receivedKey}`;
    case 'check':
      return `check ${createHash('sha256').update(activity.text).digest('hex')}`;
    case 'request':
      return `request ${activity.operation}`;
  }
}

const readLimits = (): StallLimits => ({
  tickMs: timings.stallBeat,
  noteMs: timings.stallNote,
  warnMs: timings.stallWarning,
  endMs: timings.stallEnd,
  graceMs: timings.stallGrace,
});
