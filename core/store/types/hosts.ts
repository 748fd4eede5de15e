import type { HostRecord, RunOwner, RunRecord } from '../../model/run.ts';

/** A takeover of a run whose host is lost. */
export interface RecoveryClaim {
  readonly runKey: number;
  /** The run's epoch when its host was judged; if it has changed since, the takeover is rejected. */
  readonly epoch: number;
  readonly owner: RunOwner;
  /** Description of both hosts and the reason, for the record. */
  readonly by: string;
  readonly from: string;
  readonly reason: string;
}

/** The holder of an exclusive service. */
export interface ServiceRecord {
  /** 0 before the first holder. */
  readonly epoch: number;
  readonly host?: HostRecord;
  /** Epoch milliseconds. */
  readonly untilAt: number;
}

/** Stores the hosts of a home. */
export interface HostStore {
  /** Records a heartbeat, with the load as in `HostRecord`; the first one adds the host. */
  beat(owner: RunOwner, at: number, load?: number): Promise<void>;
  /** Records that the host no longer drives its runs, though its process may be alive. */
  leaveRuns(owner: RunOwner, at: number): Promise<void>;
  /** Lists the known hosts, newest first, with the number of runs they own. */
  listHosts(limit: number): Promise<{ readonly host: HostRecord; readonly runs: number }[]>;
  /** Lists the hosts that own runs. */
  listDrivingHosts(): Promise<HostRecord[]>;
  /** Finds the host that owns a run. */
  findRunHost(runKey: number): Promise<HostRecord | undefined>;
  /**
   * Lists the runs of a host that are taken over separately, oldest first: a sub-run whose parent has not ended is
   * resumed by the parent's step. `outputs` are empty.
   */
  listOrphanedRuns(hostKey: number): Promise<RunRecord[]>;
  /**
   * Makes `owner` the run's owner with the next epoch, and records it. Nothing changes when it throws.
   * @throws `not_found`, `not_running`, or `stale_owner` when another host was faster
   */
  claimOrphanedRun(options: RecoveryClaim, at: number): Promise<RunRecord>;
  findService(name: string): Promise<ServiceRecord>;
  /** Assigns a service to `owner` with the next epoch; undefined when its epoch is no longer `epoch`. */
  claimService(name: string, epoch: number, owner: RunOwner, term: LeaseTerm): Promise<number | undefined>;
  /** Extends the lease; returns whether the service is still held with this epoch. */
  renewService(name: string, epoch: number, untilAt: number): Promise<boolean>;
  /** Releases the service when it is still held with this epoch. */
  releaseService(name: string, epoch: number): Promise<void>;
}

/** Start and end of a lease, in epoch milliseconds. */
export interface LeaseTerm {
  readonly at: number;
  readonly untilAt: number;
}
