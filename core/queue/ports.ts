import type { HostRecord } from '../model/host.ts';
import type { KeptWait, OpenClaim, QueueClaim, QueueItem, QueueRecord, QueueState } from '../model/queue.ts';
import type { RunOwner, RunRecord, RunRef } from '../model/run/run.ts';

/** What a host wants of one queue. */
export interface ClaimWish {
  readonly queue: string;
  /** Runs that may be active at once; absent for the limits of the waiting runs' own workflows. */
  readonly limit?: number;
  /** Runs that this host can start now, 1 or more. */
  readonly most: number;
  readonly owner: RunOwner;
}

/** The limit that a queue has of its own, if it has one. */
export type LimitOf = (queue: string) => number | undefined;

/** A part of what waits in a queue. */
export interface ItemPage {
  /** Only what starts after this item. */
  readonly after?: Pick<QueueItem, 'priority' | 'key'>;
  /** 1 or more. */
  readonly limit: number;
}

/** The place that a waiting run is to have. */
export interface QueuePlace {
  readonly queue: string;
  readonly run: RunRef;
  /** From 1; the end when it is beyond. */
  readonly position: number;
}

/** Where queues keep what waits. Each operation is one transaction. */
export interface QueueStore {
  /** Names of queues that runs wait in and nobody has paused. */
  listOpenQueues(): string[];
  /** The queue that a run counts in; undefined for sub-runs and runs that are not known. */
  findQueueOf(run: RunRef): string | undefined;
  /**
   * Hands the first waiting runs to a host, as far as the queue's limit allows: they have an owner and are no longer
   * to be had. Highest priority first, then in the order in which they came; those that a worker must have are left
   * where they are. What holds the next one is kept when it has changed.
   */
  claimNext(wish: ClaimWish, at: number): QueueClaim[];
  /** Claims that have not led to an active run yet, the oldest first. */
  listOpenClaims(): OpenClaim[];
  /** Puts a claimed run back to its old place. False when it is active, has ended or has another owner by now. */
  returnClaim(claim: Pick<QueueClaim, 'runKey' | 'epoch'>, reason: string, at: number): boolean;
  /** Ends a claimed run that has not become active as failed. False as for {@link returnClaim}. */
  discardClaim(claim: Pick<QueueClaim, 'runKey' | 'epoch'>, reason: string, at: number): boolean;
  /** Ends a waiting run as aborted. Throws `not_found`, or `not_queued` when it is active, has ended or is about to start. */
  dequeue(run: RunRef, by: string, at: number): void;
  /** The same for the run that has waited longest in a queue; undefined when none waits. */
  dequeueOldest(queue: string, by: string, at: number): RunRef | undefined;
  /** The same for the first of what waits, at most so many. How many there were. */
  clearQueue(queue: string, by: string, portion: { readonly at: number; readonly most: number }): number;
  /** Gives a waiting run another place, with the priority that belongs there. Throws `not_queued`. */
  moveItem(place: QueuePlace): void;
  /** Pauses a queue, lets it run dry or opens it again, whether or not anything is known of it. */
  setQueueState(queue: string, state: QueueState, by: string, at: number): void;
  /** Changes whenever the state of a queue does. */
  queueVersion(): number;
  findQueue(queue: string): QueueRecord | undefined;
  /** Every queue that runs wait in, that has active runs, or that is not open; by name. */
  listQueues(): QueueRecord[];
  /** Active runs of a queue, the oldest first. */
  listQueueRuns(queue: string, limit: number): RunRecord[];
  /** Waiting runs in the order in which they start, after those that are about to. */
  listQueueItems(queue: string, page: ItemPage): QueueItem[];
  /** Why a queued run waits, as far as the store knows; undefined for any other run. @param limitOf as `ClaimWish.limit` */
  findWait(runKey: number, limitOf: LimitOf): KeptWait | undefined;
  /** Makes it known that a host processes queues, or does no more. */
  setQueueHost(owner: RunOwner, isProcessing: boolean, at: number): void;
  /** Hosts that process queues, alive or not. */
  listQueueHosts(): HostRecord[];
}
