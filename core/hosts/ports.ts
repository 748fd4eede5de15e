import type { HostRecord } from '../model/host.ts';
import type { RunOwner, RunRecord } from '../model/run/run.ts';

/** A run that changes hands because its host is gone. */
export interface TakeOver {
  readonly runKey: number;
  /** The run's epoch when its host was judged; a change since then refuses it. */
  readonly epoch: number;
  readonly owner: RunOwner;
  /** Both hosts and the reason in words, for the record. */
  readonly by: string;
  readonly from: string;
  readonly reason: string;
}

/** Who holds a service that only one host may hold. */
export interface ServiceRecord {
  /** 0 before anybody held it. */
  readonly epoch: number;
  readonly host?: HostRecord;
  /** Epoch milliseconds. */
  readonly untilAt: number;
}

/** Where hosts are known to each other. */
export interface HostStore {
  /** Records a sign of life; the first one adds the host. */
  beat(owner: RunOwner, at: number): void;
  /** The host drives its runs no more, though its process may live. */
  leaveRuns(owner: RunOwner, at: number): void;
  /** Hosts that are known, the newest first, with the number of runs they own. */
  listHosts(limit: number): { readonly host: HostRecord; readonly runs: number }[];
  /** Hosts that own runs. */
  listDrivingHosts(): HostRecord[];
  /** The host that owns a run. */
  findHostOf(runKey: number): HostRecord | undefined;
  /**
   * Runs of a host that are taken over by themselves, the oldest first: a sub-run whose parent has not ended goes on
   * with the parent's step. `outputs` are left empty.
   */
  listRunsToTakeOver(hostKey: number): RunRecord[];
  /**
   * Makes `owner` the run's owner, one epoch on, and records it. Throws `not_found`, `not_running`, or `stale_owner`
   * when somebody else was quicker; the state is unchanged then.
   */
  takeOver(wish: TakeOver, at: number): RunRecord;
  findService(name: string): ServiceRecord;
  /** Gives a service to `owner` under the next epoch; undefined when its epoch is not `epoch` any more. */
  claimService(name: string, epoch: number, owner: RunOwner, term: ServiceTerm): number | undefined;
  /** Whether the service is still held under this epoch. */
  renewService(name: string, epoch: number, untilAt: number): boolean;
  /** Frees the service when it is still held under this epoch. */
  releaseService(name: string, epoch: number): void;
}

/** From when to when, in epoch milliseconds. */
export interface ServiceTerm {
  readonly at: number;
  readonly untilAt: number;
}
