import { toIso, type Clock } from '../base/clock.ts';
import { timings } from '../base/timings.ts';
import type { HostRecord } from '../model/host.ts';
import type { RunOwner } from '../model/run/run.ts';
import { isOwnerGone } from '../process/living/own-process.ts';

/** A beat, and when this process has first seen it. */
interface SeenBeat {
  readonly beatAt: number;
  /** By the monotonic clock. */
  readonly seenAt: number;
}

/**
 * Judges whether other hosts are gone. What counts of a beat is that it changes while this process watches, by its
 * own monotonic clock: a wall clock that is set, or a machine that slept, makes nobody dead.
 */
export class HostWatch {
  readonly #own: RunOwner;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #seen = new Map<number, SeenBeat>();

  constructor(own: RunOwner, clock: Pick<Clock, 'monotonic'>) {
    this.#own = own;
    this.#clock = clock;
  }

  /** Why a host is certainly gone, in words that follow its name; undefined when it may live. */
  findDeath(host: HostRecord): string | undefined {
    if (host.owner.id === this.#own.id) return undefined;
    if (host.leftAt !== undefined) return `the host released its runs at ${toIso(host.leftAt)}`;
    if (host.owner.host === this.#own.host && host.owner.bootId !== this.#own.bootId)
      return 'the machine was restarted';
    if (isOwnerGone(host.owner, this.#own)) return 'the process has ended';
    const now = this.#clock.monotonic();
    const seen = this.#seen.get(host.key);
    if (seen?.beatAt !== host.beatAt) {
      this.#seen.set(host.key, { beatAt: host.beatAt, seenAt: now });
      return undefined;
    }
    if (now - seen.seenAt <= timings.hostLease) return undefined;
    return `no heartbeat since ${toIso(host.beatAt)}`;
  }

  /** Forgets hosts that own nothing any more. */
  keepOnly(hosts: readonly HostRecord[]): void {
    const keys = new Set(hosts.map(({ key }) => key));
    for (const key of this.#seen.keys()) if (!keys.has(key)) this.#seen.delete(key);
  }
}

const kindWords = {
  desktop: 'the desktop app',
  server: 'the server',
  scheduler: 'the scheduler',
  cli: 'the command',
} as const;

/** A host in words: `the server (process 123 on box)`. */
export const describeHost = ({ kind, pid, host }: RunOwner): string =>
  `${kindWords[kind ?? 'cli']} (process ${pid} on ${host})`;
