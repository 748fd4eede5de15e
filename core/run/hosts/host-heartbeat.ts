import { availableParallelism, loadavg } from 'node:os';
import type { Clock, Dispose } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { timings } from '../../base/timings.ts';
import type { RunOwner } from '../../model/run.ts';
import type { HostStore } from '../../store/types/hosts.ts';

/** This host, as other hosts see it. It is registered with its first run, and sends heartbeats while it has runs. */
export class HostHeartbeat {
  readonly owner: RunOwner;
  readonly #store: Pick<HostStore, 'beat' | 'leaveRuns'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #users = 0;
  #stop: Dispose | undefined;

  constructor(deps: {
    readonly owner: RunOwner;
    readonly store: Pick<HostStore, 'beat' | 'leaveRuns'>;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.owner = deps.owner;
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /**
   * Sends heartbeats until every caller has disposed. The first one is due after one interval, because becoming an
   * owner also counts as a heartbeat.
   */
  keepAlive(): Dispose {
    this.#users += 1;
    this.#stop ??= this.#clock.every(timings.hostBeat, () => this.#beat());
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#users -= 1;
      if (this.#users === 0) this.#end();
    };
  }

  /** Releases the runs of this host for other hosts. */
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
    this.#attempt(() => this.#store.beat(this.owner, this.#clock.now(), measureLoad()));
  }

  /**
   * Writes to the store and ignores errors: the host then counts as lost after a while and its writes are rejected,
   * which is safe.
   */
  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#logger.warn('Cannot write the heartbeat of this host', { message: String(error) });
    }
  }
}

/** Load of this machine's processors in the last minute, 1 when all are busy; undefined on Windows, which has no such measure. */
const measureLoad = (): number | undefined =>
  process.platform === 'win32' ? undefined : loadavg()[0]! / availableParallelism();
