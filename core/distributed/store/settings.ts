/** Timeouts for tasks held by workers. */
export interface DispatchSettings {
  /** Lease: a worker without a heartbeat for this long loses its running tasks, in milliseconds. */
  readonly leaseMs: number;
  /** Activation timeout: unconfirmed tasks go to another worker after this time, in milliseconds. */
  readonly activationMs: number;
}

export const dispatchDefaults: DispatchSettings = { leaseMs: 30_000, activationMs: 10_000 };

/**
 * Returns the time without a heartbeat after which a coordinator counts as dead: half a lease, so that workers have
 * the other half to find another coordinator before reclaiming is postponed.
 */
export const coordinatorLeaseMs = ({ leaseMs }: DispatchSettings): number => leaseMs / 2;

/** Time for which removed workers are listed and their epochs retained, in milliseconds. */
export const goneRetentionMs = 24 * 60 * 60 * 1000;

/** Interval of deleting unused rows, in milliseconds. */
export const pruneIntervalMs = 10 * 60 * 1000;
