import { toIso, type Clock } from '../../base/clock.ts';
import { timings } from '../../base/timings.ts';
import type { HostRecord, RunOwner } from '../../model/run.ts';
import { hasOwnerEnded } from '../../process/process-table.ts';

/** A heartbeat, and when this process has first seen it. */
interface LastHeartbeat {
  readonly beatAt: number;
  /** On the monotonic clock. */
  readonly seenAt: number;
}

/**
 * Decides whether other hosts are lost. A host is alive while its heartbeat changes, as observed by this process on its
 * own monotonic clock: an adjusted wall clock, or a machine that slept, makes no host count as lost.
 */
export class HostMonitor {
  readonly #localOwner: RunOwner;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #seen = new Map<number, LastHeartbeat>();

  constructor(localOwner: RunOwner, clock: Pick<Clock, 'monotonic'>) {
    this.#localOwner = localOwner;
    this.#clock = clock;
  }

  /** Returns why a host is certainly lost, as a phrase that follows its name; undefined when it may be alive. */
  findExpiry(host: HostRecord): string | undefined {
    if (host.owner.id === this.#localOwner.id) return undefined;
    if (host.leftAt !== undefined) return `the host released its runs at ${toIso(host.leftAt)}`;
    if (host.owner.host === this.#localOwner.host && host.owner.bootId !== this.#localOwner.bootId)
      return 'the machine was restarted';
    if (hasOwnerEnded(host.owner, this.#localOwner)) return 'the process has ended';
    const now = this.#clock.monotonic();
    const seen = this.#seen.get(host.key);
    if (seen?.beatAt !== host.beatAt) {
      this.#seen.set(host.key, { beatAt: host.beatAt, seenAt: now });
      return undefined;
    }
    if (now - seen.seenAt <= timings.hostLease) return undefined;
    return `no heartbeat since ${toIso(host.beatAt)}`;
  }

  /** Forgets hosts that no longer own anything. */
  keepOnly(hosts: readonly HostRecord[]): void {
    const keys = new Set(hosts.map(({ key }) => key));
    for (const key of this.#seen.keys()) if (!keys.has(key)) this.#seen.delete(key);
  }
}

const kindLabels = {
  desktop: 'the desktop app',
  server: 'the server',
  scheduler: 'the scheduler',
  cli: 'the command',
} as const;

/** Describes a host: `the server (process 123 on box)`. */
export const formatHost = ({ kind, pid, host }: RunOwner): string =>
  `${kindLabels[kind ?? 'cli']} (process ${pid} on ${host})`;
