/** How long what workers hold stays theirs. */
export interface DispatchSettings {
  /** A worker that gives no sign of life for so long loses what it runs, milliseconds. */
  readonly leaseMs: number;
  /** What a worker has not confirmed for so long goes to another one, milliseconds. */
  readonly activationMs: number;
}

export const dispatchDefaults: DispatchSettings = { leaseMs: 30_000, activationMs: 10_000 };

/**
 * A coordinator without a sign of life for so long is taken for dead. Half a lease, so that workers still have the other
 * half to find the next coordinator before reaping is put off for them.
 */
export const coordinatorLeaseMs = ({ leaseMs }: DispatchSettings): number => leaseMs / 2;

/** Workers that are no more are shown, and their epochs kept, for so long, milliseconds. */
export const keepGoneMs = 24 * 60 * 60 * 1000;

/** How often what nobody asks for any more is looked for, milliseconds. */
export const tidyEveryMs = 10 * 60 * 1000;
