import type { AttemptRecord, ItemRecord } from '../../model/run/run.ts';

/** A node that was running when the host of its run was lost. Times in epoch milliseconds. */
export interface OpenNode {
  /** How often it has run, including the current or just completed series. */
  readonly times: number;
  /** Attempts of the series so far that count against the limit of retries. */
  readonly count: number;
  /** Its newest attempt. */
  readonly attempt: AttemptRecord;
  /** Kind and time of its next attempt; absent while `attempt` is running. */
  readonly due?: { readonly kind: 'retry' | 'repeat'; readonly at: number };
  /** Items that `attempt` has started. */
  readonly items: readonly ItemRecord[];
  /**
   * Whether the machine has been up since then: processes from before a reboot have ended, even if their pids are in
   * use again.
   */
  readonly isSameBoot: boolean;
}

/**
 * Returns when the wait for its next attempt is over, in epoch milliseconds. If the clock was set back since, not later
 * than if the wait started now.
 */
export function findDue(
  { due, attempt }: Pick<OpenNode, 'due' | 'attempt'>,
  now: number,
): number | undefined {
  if (due === undefined || attempt.finishedAt === undefined) return due?.at;
  return Math.min(due.at, now + Math.max(0, due.at - attempt.finishedAt));
}
