import { availableParallelism, loadavg } from 'node:os';
import { type Clock, type Dispose, toIso } from '../base/clock.ts';
import { failPoint } from '../base/fail-point.ts';
import type { Logger } from '../base/logger.ts';
import { timings } from '../base/timings.ts';
import type { RunOwner, HostRecord } from '../model/run.ts';
import type { HostStore, ServiceRecord } from '../store/types/hosts.ts';
import type { RunStore } from '../store/types/runs.ts';
import { hasOwnerEnded } from '../process/process-table.ts';

/** This host, as other hosts see it. It is registered with its first run, and sends heartbeats while it has runs. */
export class HostHeartbeat {
  readonly owner: RunOwner;
  readonly #store: Pick<HostStore, 'beat' | 'leaveRuns'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #users = 0;
  #stop: Dispose | undefined;
  /** The heartbeat that is being written. */
  #beating: Promise<void> | undefined;

  constructor(owner: RunOwner, store: Pick<HostStore, 'beat' | 'leaveRuns'>, clock: Clock, logger: Logger) {
    this.owner = owner;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Sends heartbeats until every caller has disposed. The first one is due after one interval, because becoming an
   * owner also counts as a heartbeat.
   */
  keepAlive(): Dispose {
    this.#users += 1;
    this.#stop ??= this.#clock.every(timings.hostBeat, () => void this.#beat());
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#users -= 1;
      if (this.#users === 0) this.#end();
    };
  }

  /** Releases the runs of this host for other hosts, after its last heartbeat, which would claim them again. */
  async leaveRuns(): Promise<void> {
    this.#end();
    await this.#beating;
    await this.#attempt(() => this.#store.leaveRuns(this.owner, this.#clock.now()));
  }

  #end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Skips a heartbeat while the previous one is being written. */
  async #beat(): Promise<void> {
    if (this.#beating !== undefined) return;
    failPoint('host.before_beat');
    this.#beating = this.#attempt(() => this.#store.beat(this.owner, this.#clock.now(), measureLoad()));
    await this.#beating;
    this.#beating = undefined;
  }

  /**
   * Writes to the store and ignores errors: the host then counts as lost after a while and its writes are rejected,
   * which is safe.
   */
  async #attempt(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#logger.warn('Cannot write the heartbeat of this host', { message: String(error) });
    }
  }
}

/** Load of this machine's processors in the last minute, 1 when all are busy; undefined on Windows, which has no such measure. */
const measureLoad = (): number | undefined =>
  process.platform === 'win32' ? undefined : loadavg()[0]! / availableParallelism();

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

/**
 * Services that one host of a home holds at a time, such as the scheduler, from the view of one host. Each service makes
 * one call at a time.
 */
export class ServiceLeases {
  readonly #store: HostStore & Pick<RunStore, 'commitRevision'>;
  readonly #clock: Clock;
  readonly #host: HostHeartbeat;
  readonly #watch: HostMonitor;
  readonly #renewals = new Map<string, Dispose>();
  /** Services that others hold, as they were read. */
  readonly #held = new Map<string, { readonly revision: string; readonly record: ServiceRecord }>();

  constructor(store: HostStore & Pick<RunStore, 'commitRevision'>, clock: Clock, host: HostHeartbeat) {
    this.#store = store;
    this.#clock = clock;
    this.#host = host;
    this.#watch = new HostMonitor(this.#owner, clock);
  }

  /**
   * Acquires the service when it is free: its holder is lost, or has not renewed its lease in time. Asks the store only
   * when that may be so: a release is a commit, unlike a renewal.
   * @returns the epoch for renewing and releasing it; undefined while another host, or this one, has it
   */
  async acquire(name: string): Promise<number | undefined> {
    const revision = this.#store.commitRevision();
    const known = this.#held.get(name);
    if (known?.revision === revision && this.#isHeld(known.record)) return undefined;
    const record = await this.#store.findService(name);
    if (this.#isHeld(record)) {
      this.#held.set(name, { revision, record });
      return undefined;
    }
    const at = this.#clock.now();
    const next = await this.#store.claimService(name, record.epoch, this.#owner, {
      at,
      untilAt: at + timings.serviceLease,
    });
    if (next !== undefined) this.#startRenewal(name);
    return next;
  }

  /** Call this every few seconds. Returns false when another host has the service by now: stop all of its work. */
  async renew(name: string, epoch: number): Promise<boolean> {
    const untilAt = this.#clock.now() + timings.serviceLease;
    if (await this.#store.renewService(name, epoch, untilAt)) return true;
    this.#stopRenewal(name);
    return false;
  }

  /** Releases the service, so that the next host need not wait. */
  async release(name: string, epoch: number): Promise<void> {
    this.#stopRenewal(name);
    await this.#store.releaseService(name, epoch);
  }

  #isHeld({ host, untilAt }: ServiceRecord): boolean {
    const at = this.#clock.now();
    // A clock that was set back must not block the service for all hosts for that long.
    if (host === undefined || untilAt <= at || untilAt > at + timings.serviceLease) return false;
    return this.#watch.findExpiry(host) === undefined;
  }

  get #owner(): RunOwner {
    return this.#host.owner;
  }

  #startRenewal(name: string): void {
    this.#stopRenewal(name);
    this.#renewals.set(name, this.#host.keepAlive());
  }

  #stopRenewal(name: string): void {
    this.#renewals.get(name)?.();
    this.#renewals.delete(name);
  }
}
