import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Workflow } from '../model/workflow.ts';
import type { PurgedRun, RunStore } from './ports.ts';

/** How long the history of a workflow is kept that says nothing, or 0 (peer 1.2). */
const defaultDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** Transactions for one start of a run; what is left then is removed with the next starts. */
const mostTransactions = 10;

/** A name of `runLogDir`: the time, then the run's id. */
const folderName = /^\d{8}T\d{6}Z_(.+)$/;

/** Removes runs that are older than their workflow's `histRetentionDays`, with their logs. */
export class Retention {
  readonly #store: Pick<RunStore, 'purgeRuns'>;
  readonly #home: string;
  readonly #clock: Pick<Clock, 'now' | 'soon'>;
  readonly #logger: Logger;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(parts: {
    readonly store: Pick<RunStore, 'purgeRuns'>;
    /** Absolute. */
    readonly home: string;
    readonly clock: Pick<Clock, 'now' | 'soon'>;
    readonly logger: Logger;
  }) {
    this.#store = parts.store;
    this.#home = parts.home;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  /**
   * Begins to remove the old runs of a name, in later turns of the loop. What goes wrong is logged.
   * @param name of the run that has just been created
   * @param workflow negative days keep runs for ever (peer 1.2)
   */
  purge(name: string, { histRetentionDays }: Pick<Workflow, 'histRetentionDays'>): void {
    const days = histRetentionDays || defaultDays;
    if (days < 0 || this.#pending.has(name)) return;
    const purged = this.#purge(name, this.#clock.now() - days * dayMs)
      .catch((thrown: unknown) => this.#warn('Old runs could not be removed', { dag: name }, thrown))
      .finally(() => this.#pending.delete(name));
    this.#pending.set(name, purged);
  }

  /** Resolves when everything that was begun has been done. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending.values());
  }

  async #purge(name: string, before: number): Promise<void> {
    for (let count = 0; count < mostTransactions; count += 1) {
      await new Promise<void>((resolve) => this.#clock.soon(resolve));
      const runs = this.#store.purgeRuns(name, before);
      if (runs.length === 0) return;
      for (const run of runs) await this.#removeLogs(run);
    }
  }

  async #removeLogs(run: PurgedRun): Promise<void> {
    const folder = findLogFolder(this.#home, run);
    if (folder === undefined) return;
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (thrown) {
      this.#warn('The logs of an old run could not be removed', { dag: run.name, folder }, thrown);
    }
  }

  #warn(message: string, facts: Record<string, string>, thrown: unknown): void {
    this.#logger.warn(message, { ...facts, message: String(thrown) });
  }
}

/**
 * The folder that is this run's own and nothing else's, whatever the store says: its name and its place are those
 * that `runLogDir` gives. Undefined for anything else.
 */
export function findLogFolder(home: string, { name, dagRunId, logDir }: PurgedRun): string | undefined {
  if (logDir === '') return undefined;
  const folder = path.resolve(home, logDir);
  const above = path.dirname(folder);
  const isOwn = folderName.exec(path.basename(folder))?.[1] === dagRunId && path.basename(above) === name;
  const isInPlace = path.isAbsolute(logDir) || path.dirname(above) === path.join(home, 'logs');
  return isOwn && isInPlace ? folder : undefined;
}
