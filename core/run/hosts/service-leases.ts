import type { Clock, Dispose } from '../../base/clock.ts';
import { timings } from '../../base/timings.ts';
import type { RunOwner } from '../../model/run.ts';
import { HostMonitor } from './host-monitor.ts';
import type { HostHeartbeat } from './host-heartbeat.ts';
import type { HostStore } from '../../store/types/hosts.ts';

/** Services that one host of a home holds at a time, such as the scheduler, from the view of one host. */
export class ServiceLeases {
  readonly #store: HostStore;
  readonly #clock: Clock;
  readonly #host: HostHeartbeat;
  readonly #watch: HostMonitor;
  readonly #renewals = new Map<string, Dispose>();

  constructor(deps: { readonly store: HostStore; readonly clock: Clock; readonly host: HostHeartbeat }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#host = deps.host;
    this.#watch = new HostMonitor(this.#owner, deps.clock);
  }

  /**
   * Acquires the service when it is free: its holder is lost, or has not renewed its lease in time.
   * @returns the epoch for renewing and releasing it; undefined while another host, or this one, has it
   */
  acquire(name: string): number | undefined {
    const { epoch, host, untilAt } = this.#store.findService(name);
    const at = this.#clock.now();
    // A clock that was set back must not block the service for all hosts for that long.
    const isHeld = host !== undefined && untilAt > at && untilAt <= at + timings.serviceLease;
    if (isHeld && this.#watch.findExpiry(host) === undefined) return undefined;
    const next = this.#store.claimService(name, epoch, this.#owner, {
      at,
      untilAt: at + timings.serviceLease,
    });
    if (next !== undefined) this.#startRenewal(name);
    return next;
  }

  /** Call this every few seconds. Returns false when another host has the service by now: stop all of its work. */
  renew(name: string, epoch: number): boolean {
    if (this.#store.renewService(name, epoch, this.#clock.now() + timings.serviceLease)) return true;
    this.#stopRenewal(name);
    return false;
  }

  /** Releases the service, so that the next host need not wait. */
  release(name: string, epoch: number): void {
    this.#stopRenewal(name);
    this.#store.releaseService(name, epoch);
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
