import type { QueueClaim } from '../../../core/model/queue.ts';
import type { RunRecord } from '../../../core/model/run.ts';
import type { NewRun, Waiting } from '../../../core/store/types/runs.ts';
import type { Store } from '../../../core/store/open-store.ts';
import { describeRun, owner } from './store-rig.ts';

let count = 0;

/** Adds a queued run; by default in the queue `q`, of a workflow that allows one active run. */
export function enqueue(
  store: Store,
  waiting: Partial<Waiting> = {},
  run: Partial<NewRun> = {},
  at = 1000,
): RunRecord {
  count += 1;
  return store.createRun(
    describeRun({
      queue: 'q',
      dagRunId: `queued-${count}`,
      ...run,
      waiting: { priority: 0, maxActiveRuns: 1, ...waiting },
    }),
    at,
  );
}

/** Claims what can be claimed of `q`. */
export const claim = (store: Store, limit?: number, max = 100): QueueClaim[] =>
  store.queues.claimNext({ queue: 'q', max, owner, ...(limit === undefined ? {} : { limit }) }, 2000);

/** Makes a claimed run active. */
export function begin(store: Store, { runKey, epoch }: QueueClaim): void {
  store.append([{ runKey, epoch, events: [{ at: 3000, event: { type: 'run.started', logDir: 'logs/x' } }] }]);
}

export function finish(store: Store, { runKey, epoch }: QueueClaim): void {
  const event = { type: 'run.finished', status: 'succeeded', outputs: {} } as const;
  store.append([{ runKey, epoch, events: [{ at: 4000, event }] }]);
}

export const idsOf = (claims: readonly { readonly dagRunId: string }[]): string[] =>
  claims.map(({ dagRunId }) => dagRunId);
