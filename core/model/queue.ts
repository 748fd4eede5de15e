import type { HostRecord, RunRecord, RunRef } from './run.ts';
import { formatActor } from './run-event.ts';
import { formatNoWorker, type WorkerSelector } from './workflow-rules.ts';

/** `paused` starts nothing, `draining` accepts nothing new. */
export const queueStates = ['open', 'paused', 'draining'] as const;
export type QueueState = (typeof queueStates)[number];

/** Why a run waits, as a code; {@link formatWait} formats it. */
export const waitKinds = [
  'next',
  'full',
  'behind',
  'paused',
  'off',
  'no_host',
  'no_worker',
  'starting',
] as const;
export type WaitKind = (typeof waitKinds)[number];

/** Lowest and highest priority; the default is 0. */
export const priorities = { min: -1000, max: 1000 } as const;

/** Why a run waits in its queue. */
export interface Wait {
  readonly kind: WaitKind;
  readonly queue: string;
  /** Higher priorities start first; equal ones in order of arrival. */
  readonly priority: number;
  /** Epoch milliseconds. */
  readonly enqueuedAt: number;
  /** Number of active runs of the queue. */
  readonly running: number;
  /** Most active runs; absent for no limit. */
  readonly limit?: number;
  /** Number of waiting runs that start before it; {@link maxCounted} means that many or more. */
  readonly ahead: number;
  /** The first few of the runs it waits for: active ones, or those ahead of it. */
  readonly behind: readonly RunRef[];
  /** User that paused the queue. */
  readonly by?: string;
  /** Worker labels that the run waited for, in events of earlier releases in which runs waited and not steps. */
  readonly workerSelector?: WorkerSelector;
}

/** A stored reason to wait, so that it can be read when no host is running. */
export interface StoredReason {
  /** One sentence. */
  readonly reason: string;
  /** Since when, in epoch milliseconds. */
  readonly at: number;
}

/** Why a run waits now, and the last stored reason. */
export interface StoredWait extends Wait {
  readonly kept: StoredReason;
}

/** A stored queue. A queue that is empty, idle and never paused is not stored. */
export interface QueueRecord {
  readonly name: string;
  readonly state: QueueState;
  /** User that paused or drained the queue. */
  readonly by?: string;
  /** Active runs. */
  readonly running: number;
  readonly waiting: number;
  /** Most active runs according to the workflow of the next run; absent for no limit, and when no run waits. */
  readonly headLimit?: number;
  /** The reason that blocks the next run, as last stored by a host; absent when nothing does. */
  readonly hold?: StoredReason;
}

/** A run that waits in a queue, or was claimed by a host and is not active yet. */
export interface QueueItem {
  readonly run: RunRecord;
  readonly queue: string;
  readonly priority: number;
  /** Epoch milliseconds, like the next one. */
  readonly enqueuedAt: number;
  readonly claimedAt?: number;
  /** Increases in order of arrival. */
  readonly key: number;
}

/** A run that a host has claimed, and the epoch that the host must use to write. */
export interface QueueClaim extends RunRef {
  readonly runKey: number;
  readonly queue: string;
  readonly epoch: number;
}

/** A claim that has not led to an active run yet. */
export interface OpenClaim extends QueueClaim {
  /** The host that has claimed the run. */
  readonly host: HostRecord;
}

/** Most runs named in one sentence. */
export const maxListed = 2;
/** Most runs counted for one sentence. */
export const maxCounted = 1000;

/** Returns why a run waits, in one sentence. */
export function formatWait(wait: Wait): string {
  const { queue, running, limit, ahead } = wait;
  const level = limit === undefined ? `${running} running` : `${running}/${limit}`;
  switch (wait.kind) {
    case 'paused':
      return `queue ${queue} is paused${wait.by === undefined ? '' : ` ${formatActor(wait.by)}`}`;
    case 'off':
      return 'queues are disabled in the configuration (queues.enabled)';
    case 'no_host':
      return 'no scheduler is running: start the app or "engine scheduler"';
    case 'no_worker':
      return formatNoWorker(wait.workerSelector ?? {});
    case 'starting':
      return `queue ${queue} ${level}: about to start`;
    case 'next':
      return `queue ${queue} ${level}: next to start`;
    case 'full':
      return `queue ${queue} ${level}: behind ${formatRunRefs(wait.behind, running)}`;
    case 'behind':
      return `queue ${queue} ${level}: behind ${countWaiting(ahead)}, first ${wait.behind.map(formatRunRef).join(', ')}`;
  }
}

const countWaiting = (ahead: number): string =>
  `${ahead}${ahead < maxCounted ? '' : ' or more'} queued ${ahead === 1 ? 'run' : 'runs'}`;

const formatRunRef = ({ name, dagRunId }: RunRef): string => `${name} ${dagRunId}`;

function formatRunRefs(runs: readonly RunRef[], count: number): string {
  const listed = runs.slice(0, maxListed).map(formatRunRef);
  const remaining = count - listed.length;
  const noun = count === 1 ? 'run' : 'runs';
  return `${noun} ${listed.join(', ')}${remaining > 0 ? ` and ${remaining} more` : ''}`;
}

/** Number of positions that a run can be moved to. */
export const maxMoved = 1000;
