import type { HostRecord, RunOwner, RunRecord, RunRef } from '../../model/run.ts';
import type {
  StoredWait,
  OpenClaim,
  QueueClaim,
  QueueItem,
  QueueRecord,
  QueueState,
} from '../../model/queue.ts';

/** A request to claim runs of one queue. */
export interface QueueClaimRequest {
  readonly queue: string;
  /** Most active runs; absent: the limits of the waiting runs' own workflows apply. */
  readonly limit?: number;
  /** Most runs that this host can start now, 1 or more. */
  readonly max: number;
  readonly owner: RunOwner;
}

/** Returns the limit of a queue, if it has one of its own. */
export type QueueLimitLookup = (queue: string) => number | undefined;

/** A page of waiting runs. */
export interface ItemPage {
  /** Only runs that start after this item. */
  readonly after?: Pick<QueueItem, 'priority' | 'key'>;
  /** 1 or more. */
  readonly limit: number;
}

/** A new position of a waiting run. */
export interface QueuePosition {
  readonly queue: string;
  readonly run: RunRef;
  /** 1-based; the end when it is beyond. */
  readonly position: number;
}

/** Stores waiting runs. Each operation is one transaction. */
export interface QueueStore {
  /** Lists the names of queues with waiting runs that are not paused. */
  listOpenQueues(): Promise<string[]>;
  /** Returns the queue in which a run counts; undefined for sub-runs and unknown runs. */
  findRunQueue(run: RunRef): Promise<string | undefined>;
  /**
   * Claims the first waiting runs for a host, up to the queue's limit: they then have an owner and cannot be claimed
   * again. Highest priority first, then in order of arrival; runs that need a worker are skipped. Stores what blocks
   * the next run when that has changed.
   */
  claimNext(options: QueueClaimRequest, at: number): Promise<QueueClaim[]>;
  /** Lists the claims that have not led to an active run yet, oldest first. */
  listOpenClaims(): Promise<OpenClaim[]>;
  /** Returns a claimed run to its old place. False when it is active, has ended or has another owner by now. */
  returnClaim(claim: Pick<QueueClaim, 'runKey' | 'epoch'>, reason: string, at: number): Promise<boolean>;
  /** Ends a claimed run that has not become active as failed. False as for {@link returnClaim}. */
  discardClaim(claim: Pick<QueueClaim, 'runKey' | 'epoch'>, reason: string, at: number): Promise<boolean>;
  /**
   * Ends a waiting run as aborted.
   * @throws `not_found`, or `not_queued` when it is active, has ended or is about to start
   */
  dequeue(run: RunRef, by: string, at: number): Promise<void>;
  /** Does the same for the run that has waited longest in a queue; undefined when none waits. */
  dequeueOldest(queue: string, by: string, at: number): Promise<RunRef | undefined>;
  /** Does the same for the first waiting runs, up to a limit; returns how many. */
  clearQueue(
    queue: string,
    by: string,
    portion: { readonly at: number; readonly max: number },
  ): Promise<number>;
  /**
   * Moves a waiting run, with the priority of its new position.
   * @throws `not_queued`
   */
  moveItem(position: QueuePosition): Promise<void>;
  /** Pauses, drains or reopens a queue, even one that is not known yet. */
  setQueueState(queue: string, state: QueueState, by: string, at: number): Promise<void>;
  /** Returns a number that changes whenever the state of a queue does. */
  queueVersion(): Promise<number>;
  findQueue(queue: string): Promise<QueueRecord | undefined>;
  /** Lists the queues with waiting or active runs, or that are not open, by name. */
  listQueues(): Promise<QueueRecord[]>;
  /** Lists the active runs of a queue, oldest first. */
  listQueueRuns(queue: string, limit: number): Promise<RunRecord[]>;
  /** Lists the waiting runs in the order in which they start, after those that are about to start. */
  listQueueItems(queue: string, page: ItemPage): Promise<QueueItem[]>;
  /**
   * Returns why a queued run waits, as far as the store knows; undefined for any other run. @param limitOf as
   * `QueueClaimRequest.limit`
   */
  findWait(runKey: number, limitOf: QueueLimitLookup): Promise<StoredWait | undefined>;
  /** Records that a host processes queues, or no longer does. */
  setQueueHost(owner: RunOwner, isProcessing: boolean, at: number): Promise<void>;
  /** Lists the hosts that process queues, alive or not. */
  listQueueHosts(): Promise<HostRecord[]>;
}
