/** A run in the tray. */
export interface TrayRun {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
  /** `3 of 8 steps`, for an active run. */
  readonly progress?: string;
}

/** A workflow that can be started. */
export interface TrayWorkflow {
  readonly fileName: string;
  readonly name: string;
}

/** An upcoming scheduled run. */
export interface TrayNext extends TrayWorkflow {
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A queue with waiting runs, or a paused one. */
export interface TrayQueue {
  readonly name: string;
  readonly state: string;
  readonly running: number;
  readonly waiting: number;
}

/** Everything the tray shows. */
export interface TrayContent {
  readonly running: readonly TrayRun[];
  /** Whether there are more active runs than in `running`. */
  readonly more: boolean;
  readonly recent: readonly TrayRun[];
  /** Number of failures since the user last looked. */
  readonly failed: number;
  readonly next: readonly TrayNext[];
  readonly favourites: readonly TrayWorkflow[];
  /** Recently run workflows, without favourites. */
  readonly started: readonly TrayWorkflow[];
  readonly queues: readonly TrayQueue[];
  /** While all schedules are paused: until when, ISO 8601; `''` for no end. */
  readonly pausedUntil?: string;
}

export const emptyTrayContent: TrayContent = {
  running: [],
  more: false,
  recent: [],
  failed: 0,
  next: [],
  favourites: [],
  started: [],
  queues: [],
};

/** States of the icon. */
export const trayStates = ['idle', 'running', 'failed', 'paused'] as const;
export type TrayState = (typeof trayStates)[number];

/** Returns the state with the highest priority. */
export function trayStateOf({ failed, pausedUntil, running }: TrayContent): TrayState {
  if (failed > 0) return 'failed';
  if (running.length > 0) return 'running';
  return pausedUntil === undefined ? 'idle' : 'paused';
}

/** Summarizes the state in one line. */
export function summarize({ running, more, failed, pausedUntil }: TrayContent): string {
  const labels = [
    running.length === 0 ? 'No active runs' : `${more ? 'More than ' : ''}${running.length} running`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(pausedUntil === undefined ? [] : ['schedules paused']),
  ];
  return labels.join(', ');
}
