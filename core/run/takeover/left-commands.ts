import type { Clock } from '../../base/clock.ts';
import type { RunRef } from '../../model/run/run.ts';
import { listProcesses, readTag } from '../../process/living/process-table.ts';
import { Sweeper } from '../../process/ending/sweeper.ts';
import { valuesTagRoot } from '../values/values-tag.ts';

/**
 * Commands in values and conditions that hosts which are gone have left running. Nobody reads what they print any
 * more, and whoever drives the run on evaluates them again. Only on Linux, which tells whose a process is.
 */
export class LeftCommands {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #sweeper: Sweeper;
  readonly #tags: ReadonlySet<string>;

  /** Looks at the processes of this machine once, for any number of runs. */
  constructor(home: string, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
    this.#sweeper = new Sweeper(clock);
    const tags = listProcesses().map(({ pid }) => readTag(pid));
    this.#tags = new Set(tags.filter((tag) => tag !== undefined));
  }

  /** Ends those that were started for one run under this epoch or an earlier one. Resolves when they are gone. */
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
