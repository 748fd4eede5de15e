import type { Clock, Dispose } from '../base/clock.ts';
import { failPoint } from '../base/fail-point.ts';
import type { Logger } from '../base/logger.ts';
import { timings } from '../base/timings.ts';
import type { RunOwner } from '../model/run/run.ts';
import type { HostStore } from './ports.ts';

/** This host, as others see it. It is known from its first run on, and gives signs of life while it has one. */
export class OwnHost {
  readonly owner: RunOwner;
  readonly #store: Pick<HostStore, 'beat' | 'leaveRuns'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #users = 0;
  #stop: Dispose | undefined;

  constructor(parts: {
    readonly owner: RunOwner;
    readonly store: Pick<HostStore, 'beat' | 'leaveRuns'>;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.owner = parts.owner;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  /**
   * Gives signs of life until every caller has disposed of its wish. The first one is due after a while: what makes
   * this host an owner is one itself.
   */
  keepAlive(): Dispose {
    this.#users += 1;
    this.#stop ??= this.#clock.every(timings.hostBeat, () => this.#beat());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#users -= 1;
      if (this.#users === 0) this.#end();
    };
  }

  /** Leaves the runs of this host to others. */
  leaveRuns(): void {
    this.#end();
    this.#attempt(() => this.#store.leaveRuns(this.owner, this.#clock.now()));
  }

  #end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #beat(): void {
    failPoint('host.before_beat');
    this.#attempt(() => this.#store.beat(this.owner, this.#clock.now()));
  }

  /** A host that cannot say so is taken for dead after a while; its writes are refused then, which is safe. */
  #attempt(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      this.#logger.warn('Cannot write the heartbeat of this host', { message: String(thrown) });
    }
  }
}
