/** A run as the tray shows it. */
export interface TrayRun {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
  /** `3 of 8 steps`, of a run under way. */
  readonly progress?: string;
}

/** A workflow that may be started. */
export interface TrayWorkflow {
  readonly fileName: string;
  readonly name: string;
}

/** A start to come. */
export interface TrayNext extends TrayWorkflow {
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A queue that holds something back, or that somebody has closed. */
export interface TrayQueue {
  readonly name: string;
  readonly state: string;
  readonly running: number;
  readonly waiting: number;
}

/** All that the tray shows. */
export interface TrayPicture {
  readonly running: readonly TrayRun[];
  /** Whether more are running than `running` lists. */
  readonly more: boolean;
  readonly recent: readonly TrayRun[];
  /** Runs that have failed since a person has last looked. */
  readonly failed: number;
  readonly next: readonly TrayNext[];
  readonly favourites: readonly TrayWorkflow[];
  /** Workflows that were run last, favourites apart. */
  readonly started: readonly TrayWorkflow[];
  readonly queues: readonly TrayQueue[];
  /** While all schedules rest: until when, ISO 8601; `''` for until somebody resumes them. */
  readonly pausedUntil?: string;
}

export const emptyPicture: TrayPicture = {
  running: [],
  more: false,
  recent: [],
  failed: 0,
  next: [],
  favourites: [],
  started: [],
  queues: [],
};

/** What the icon says. */
export const trayStates = ['idle', 'running', 'failed', 'paused'] as const;
export type TrayState = (typeof trayStates)[number];

/** What wants to be seen first decides. */
export function stateOf({ failed, pausedUntil, running }: TrayPicture): TrayState {
  if (failed > 0) return 'failed';
  if (running.length > 0) return 'running';
  return pausedUntil === undefined ? 'idle' : 'paused';
}

/** The picture in one line. */
export function summarize({ running, more, failed, pausedUntil }: TrayPicture): string {
  const parts = [
    running.length === 0 ? 'No active runs' : `${more ? 'More than ' : ''}${running.length} running`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(pausedUntil === undefined ? [] : ['schedules paused']),
  ];
  return parts.join(', ');
}
