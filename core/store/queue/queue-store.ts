import type { QueueStore } from '../../queue/ports.ts';
import type { Database } from '../database/database.ts';
import { claimNext, discardClaim, listOpenClaims, listOpenQueues, returnClaim } from './claims.ts';
import { dequeue, dequeueOldest } from './dequeue.ts';
import { findWait } from './holds.ts';
import {
  findQueue,
  findQueueOf,
  listQueueHosts,
  listQueueItems,
  listQueueRuns,
  listQueues,
  readQueueVersion,
  setQueueHost,
  setQueueState,
} from './queues.ts';
import { clearQueue, moveItem } from './rearrange.ts';

/** Creates the queue store of a home's database. */
export function createQueueStore(database: Database): QueueStore {
  return {
    listOpenQueues: () => listOpenQueues(database),
    findQueueOf: (run) => findQueueOf(database, run),
    claimNext: (options, at) => claimNext(database, options, at),
    listOpenClaims: () => listOpenClaims(database),
    returnClaim: (claim, reason, at) => returnClaim(database, claim, reason, at),
    discardClaim: (claim, reason, at) => discardClaim(database, claim, reason, at),
    dequeue: (run, by, at) => dequeue(database, run, by, at),
    dequeueOldest: (queue, by, at) => dequeueOldest(database, queue, by, at),
    clearQueue: (queue, by, limits) => clearQueue(database, queue, by, limits),
    moveItem: (position) => moveItem(database, position),
    setQueueState: (queue, state, by, at) => setQueueState(database, { queue, state, by }, at),
    queueVersion: () => readQueueVersion(database),
    findQueue: (queue) => findQueue(database, queue),
    listQueues: () => listQueues(database),
    listQueueRuns: (queue, limit) => listQueueRuns(database, queue, limit),
    listQueueItems: (queue, page) => listQueueItems(database, queue, page),
    findWait: (runKey, limitOf) => database.read(() => findWait(database, runKey, limitOf)),
    setQueueHost: (owner, isProcessing, at) => setQueueHost(database, owner, isProcessing, at),
    listQueueHosts: () => listQueueHosts(database),
  };
}
