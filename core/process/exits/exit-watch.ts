import type { Clock, Dispose } from '../../base/clock.ts';
import { readExitRecord } from './exit-record.ts';
import type { ExitResult } from '../launch/launcher.ts';
import { findState, type ProcessIdentity } from '../tracking/process-table.ts';

/** A process that is not a child of this one. */
export interface WatchedIdentity extends ProcessIdentity {
  /** The attempt whose exit record contains its end. */
  readonly attemptDir: string;
}

interface Watch {
  readonly identity: WatchedIdentity;
  readonly resolve: (result: ExitResult) => void;
  /** When it was first seen to be dead, on the monotonic clock. */
  endedAt?: number;
}

const pauseMs = 100;

/**
 * How long to wait for an exit record after a process has disappeared, or became a zombie that its parent does not
 * reap.
 */
const timeoutMs = { gone: 1000, zombie: 10_000 } as const;

/**
 * Detects the end of processes that are not children of this one, from the process table and the exit journal. One scan
 * serves all of them.
 */
export class ExitWatch {
  readonly #clock: Clock;
  readonly #watches = new Set<Watch>();
  #dispose: Dispose | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the exit record, or with `lost` when none can be expected. Never rejects. */
  watch(identity: WatchedIdentity): Promise<ExitResult> {
    return new Promise((resolve) => {
      this.#watches.add({ identity, resolve });
      this.#dispose ??= this.#clock.after(0, () => this.#poll());
    });
  }

  /** Stops watching; pending promises never resolve. */
  close(): void {
    this.#watches.clear();
    this.#dispose?.();
    this.#dispose = undefined;
  }

  #poll(): void {
    for (const watch of this.#watches) {
      const end = this.#findEnd(watch);
      if (end === undefined) continue;
      this.#watches.delete(watch);
      watch.resolve(end);
    }
    this.#dispose = this.#watches.size > 0 ? this.#clock.after(pauseMs, () => this.#poll()) : undefined;
  }

  #findEnd(watch: Watch): ExitResult | undefined {
    const state = findState(watch.identity);
    if (state === 'alive') return undefined;
    const record = readRecord(watch.identity.attemptDir);
    if (record) return record;
    watch.endedAt ??= this.#clock.monotonic();
    const isExpired = this.#clock.monotonic() - watch.endedAt > timeoutMs[state];
    return isExpired ? { lost: true, finishedAt: this.#clock.now() } : undefined;
  }
}

/** Returns the end from an attempt's exit record. */
function readRecord(attemptDir: string): ExitResult | undefined {
  try {
    const record = readExitRecord(attemptDir);
    if (record === undefined) return undefined;
    const { error, ...end } = record;
    return error === undefined ? end : { ...end, outputError: error };
  } catch {
    // An unreadable journal counts as empty.
    return undefined;
  }
}
