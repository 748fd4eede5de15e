import type { Clock } from '../../base/clock.ts';
import type { RunRef } from '../../model/run/run.ts';
import { listProcesses, readTag } from '../../process/tracking/process-table.ts';
import { Sweeper } from '../../process/kill/sweeper.ts';
import { valuesTagRoot } from '../values/values-tag.ts';

/**
 * Commands in values and conditions that lost hosts have left running. Their output is no longer read, and the next
 * driver evaluates them again. Linux only, because only there the owner of a process can be determined.
 */
export class OrphanedCommands {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #sweeper: Sweeper;
  readonly #tags: ReadonlySet<string>;

  /** Lists the processes of this machine once, for any number of runs. */
  constructor(home: string, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
    this.#sweeper = new Sweeper(clock);
    const tags = listProcesses().map(({ pid }) => readTag(pid));
    this.#tags = new Set(tags.filter((tag) => tag !== undefined));
  }

  /**
   * Ends the commands that were started for one run with this epoch or an earlier one. Resolves when they have ended.
   */
  async end(run: RunRef, lastEpoch: number): Promise<void> {
    const root = valuesTagRoot(this.#home, run);
    const tags = [...this.#tags].filter(
      (tag) => tag.startsWith(root) && Number(tag.slice(root.length)) <= lastEpoch,
    );
    const killAt = this.#clock.monotonic();
    await Promise.all(
      tags.map((tag) => this.#sweeper.watch({ tag, signal: 'SIGKILL', escapedToo: true, killAt })),
    );
  }
}
