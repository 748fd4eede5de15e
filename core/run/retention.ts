import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Workflow } from '../model/workflow.ts';
import type { PurgedRun, PurgeLimits, RunStore } from '../store/types/runs.ts';
import { findLogFolder, removeRunLogs, type RemoveRemoteData } from '../store/run-logs.ts';

/** Defaults for workflows that set no retention, or 0. */
export interface RetentionDefaults {
  /** Days to keep runs after their end; negative: forever, 0: 30 days. */
  readonly retentionDays: number;
  /** Most runs to keep per name; 0: no limit. */
  readonly retentionRuns: number;
}

const defaultDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** Transactions per new run. The rest is removed when later runs start. */
const maxTransactions = 10;

/**
 * Removes runs that are older than their workflow's `histRetentionDays` or exceed its `histRetentionRuns`, with their
 * logs.
 */
export class Retention {
  readonly #store: Pick<RunStore, 'purgeRuns'>;
  readonly #home: string;
  readonly #clock: Pick<Clock, 'now' | 'soon'>;
  readonly #logger: Logger;
  #defaults: RetentionDefaults;
  readonly #removeRemoteData: RemoveRemoteData | undefined;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(options: {
    readonly store: Pick<RunStore, 'purgeRuns'>;
    /** Absolute path. */
    readonly home: string;
    readonly clock: Pick<Clock, 'now' | 'soon'>;
    readonly logger: Logger;
    readonly defaults?: RetentionDefaults;
    readonly removeRemoteData?: RemoveRemoteData | undefined;
  }) {
    this.#store = options.store;
    this.#home = options.home;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#removeRemoteData = options.removeRemoteData;
    this.#defaults = options.defaults ?? { retentionDays: defaultDays, retentionRuns: 0 };
  }

  /** Changes the defaults for workflows that set no retention. */
  setDefaults(defaults: RetentionDefaults): void {
    this.#defaults = defaults;
  }

  /**
   * Starts to remove the old runs of a name, in later event-loop ticks. Errors are logged.
   * @param name of the run that has just been created
   * @param workflow negative numbers keep runs forever
   */
  purge(name: string, workflow: Pick<Workflow, 'histRetentionDays' | 'histRetentionRuns'>): void {
    const limits = this.#getLimits(workflow);
    if (limits.length === 0 || this.#pending.has(name)) return;
    const purged = this.#purge(name, limits)
      .catch((error: unknown) => this.#warn('Cannot delete old runs', { dag: name }, error))
      .finally(() => this.#pending.delete(name));
    this.#pending.set(name, purged);
  }

  /** Resolves when all started removals are complete. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending.values());
  }

  #getLimits({
    histRetentionDays,
    histRetentionRuns,
  }: Pick<Workflow, 'histRetentionDays' | 'histRetentionRuns'>): PurgeLimits[] {
    const days = histRetentionDays || this.#defaults.retentionDays || defaultDays;
    const runs = histRetentionRuns || this.#defaults.retentionRuns;
    return [
      ...(days < 0 ? [] : [{ before: this.#clock.now() - days * dayMs }]),
      ...(runs <= 0 ? [] : [{ keep: runs }]),
    ];
  }

  async #purge(name: string, limits: readonly PurgeLimits[]): Promise<void> {
    for (const limit of limits) {
      for (let count = 0; count < maxTransactions; count += 1) {
        await new Promise<void>((resolve) => this.#clock.soon(resolve));
        const runs = await this.#store.purgeRuns(name, limit);
        if (runs.length === 0) break;
        for (const run of runs) await this.#removeLogs(run);
      }
    }
  }

  async #removeLogs(run: PurgedRun): Promise<void> {
    try {
      await removeRunLogs(this.#home, run, this.#removeRemoteData);
    } catch (error) {
      const folder = findLogFolder(this.#home, run) ?? run.logDir;
      this.#warn('Cannot delete the logs of an old run', { dag: run.name, folder }, error);
    }
  }

  #warn(message: string, fields: Record<string, string>, error: unknown): void {
    this.#logger.warn(message, { ...fields, message: String(error) });
  }
}
