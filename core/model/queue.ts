import type { HostRecord } from './host.ts';
import { describeDoer } from './run/doer.ts';
import type { RunRecord, RunRef } from './run/run.ts';
import { describeNoWorker, type WorkerSelector } from './workflow/worker-selector.ts';

/** `paused` starts nothing, `draining` takes nothing new. */
export const queueStates = ['open', 'paused', 'draining'] as const;
export type QueueState = (typeof queueStates)[number];

/** Why a run waits, for programs; {@link describeWait} has it for people. */
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

/** Lowest and highest priority; runs without one have 0. */
export const priorities = { least: -1000, most: 1000 } as const;

/** Why a run waits in its queue. */
export interface Wait {
  readonly kind: WaitKind;
  readonly queue: string;
  /** Higher ones start first; equal ones in the order in which they came. */
  readonly priority: number;
  /** Epoch milliseconds. */
  readonly enqueuedAt: number;
  /** Active runs of the queue. */
  readonly running: number;
  /** How many may be active; absent for no limit. */
  readonly limit?: number;
  /** Waiting runs that start before it; {@link mostCounted} stands for that and more. */
  readonly ahead: number;
  /** The first few of the runs it waits for: active ones, or those ahead of it. */
  readonly behind: readonly RunRef[];
  /** Who has paused the queue. */
  readonly by?: string;
  /** Labels of the worker that the run waited for, in events of releases in which runs and not steps did so. */
  readonly workerSelector?: WorkerSelector;
}

/** A reason to wait as it is kept, so that it can be read when no host is there any more. */
export interface KeptReason {
  /** One sentence. */
  readonly reason: string;
  /** Since when it has been so, epoch milliseconds. */
  readonly at: number;
}

/** Why a run waits now, and the last reason that was kept for it. */
export interface KeptWait extends Wait {
  readonly kept: KeptReason;
}

/** A queue as it is stored. One that nothing waits in, runs in and nobody has paused is not. */
export interface QueueRecord {
  readonly name: string;
  readonly state: QueueState;
  /** Who has paused it, or lets it run dry. */
  readonly by?: string;
  /** Active runs. */
  readonly running: number;
  readonly waiting: number;
  /** How many runs the workflow allows whose run is next; absent for no limit, and when nothing waits. */
  readonly headLimit?: number;
  /** What holds the run that is next, as a host has last kept it; absent when nothing does. */
  readonly hold?: KeptReason;
}

/** A run that waits in a queue, or has been handed to a host and is not active yet. */
export interface QueueItem {
  readonly run: RunRecord;
  readonly queue: string;
  readonly priority: number;
  /** Epoch milliseconds, like the next one. */
  readonly enqueuedAt: number;
  readonly claimedAt?: number;
  /** Grows in the order in which items came. */
  readonly key: number;
}

/** A run that has been handed to a host, under the epoch that host must write with. */
export interface QueueClaim extends RunRef {
  readonly runKey: number;
  readonly queue: string;
  readonly epoch: number;
}

/** A claim that has not led to an active run yet. */
export interface OpenClaim extends QueueClaim {
  /** Who has the run now. */
  readonly host: HostRecord;
}

/** Most runs named in one sentence. */
export const mostNamed = 2;
/** Most runs counted for one sentence. */
export const mostCounted = 1000;

/** Why a run waits, in one sentence. */
export function describeWait(wait: Wait): string {
  const { queue, running, limit, ahead } = wait;
  const level = limit === undefined ? `${running} running` : `${running}/${limit}`;
  switch (wait.kind) {
    case 'paused':
      return `queue ${queue} is paused${wait.by === undefined ? '' : ` ${describeDoer(wait.by)}`}`;
    case 'off':
      return 'queues are disabled in the configuration (queues.enabled)';
    case 'no_host':
      return 'no scheduler is running: start the app or "engine scheduler"';
    case 'no_worker':
      return describeNoWorker(wait.workerSelector ?? {});
    case 'starting':
      return `queue ${queue} ${level}: about to start`;
    case 'next':
      return `queue ${queue} ${level}: next to start`;
    case 'full':
      return `queue ${queue} ${level}: behind ${nameRuns(wait.behind, running)}`;
    case 'behind':
      return `queue ${queue} ${level}: behind ${countWaiting(ahead)}, first ${wait.behind.map(nameRun).join(', ')}`;
  }
}

const countWaiting = (ahead: number): string =>
  `${ahead}${ahead < mostCounted ? '' : ' or more'} queued ${ahead === 1 ? 'run' : 'runs'}`;

const nameRun = ({ name, dagRunId }: RunRef): string => `${name} ${dagRunId}`;

function nameRuns(runs: readonly RunRef[], count: number): string {
  const named = runs.slice(0, mostNamed).map(nameRun);
  const rest = count - named.length;
  const word = count === 1 ? 'run' : 'runs';
  return `${word} ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Places of a queue that can be moved to; further back nobody arranges by hand. */
export const mostMoved = 1000;
