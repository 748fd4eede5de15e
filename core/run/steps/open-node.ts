import type { AttemptRecord, ItemRecord } from '../../model/run/run.ts';

/** A node that was under way when the host of its run was lost. Times in epoch milliseconds. */
export interface OpenNode {
  /** How often it has run, the series it is in or has just ended included. */
  readonly times: number;
  /** Attempts of the series so far that count against the limit of retries. */
  readonly count: number;
  /** Its newest attempt. */
  readonly attempt: AttemptRecord;
  /** What its next attempt waits for; absent while `attempt` is under way. */
  readonly due?: { readonly kind: 'retry' | 'repeat'; readonly at: number };
  /** Items that `attempt` has begun. */
  readonly items: readonly ItemRecord[];
  /** Whether the machine is up since then: processes of before a reboot are gone, whoever has their pids now. */
  readonly isSameBoot: boolean;
}

/**
 * When the wait for its next attempt is over, epoch milliseconds: by a clock that was set back since, not later than if
 * the wait began now.
 */
export function findDue(
  { due, attempt }: Pick<OpenNode, 'due' | 'attempt'>,
  now: number,
): number | undefined {
  if (due === undefined || attempt.finishedAt === undefined) return due?.at;
  return Math.min(due.at, now + Math.max(0, due.at - attempt.finishedAt));
}
