/** Work whose cost the text of a user decides. The watchdog names it when the process stands still. */
export type Activity =
  | { readonly kind: 'run'; readonly dag: string; readonly dagRunId: string }
  | { readonly kind: 'delivery'; readonly receivedKey: number }
  /** A check of a workflow file, or of text that came without one. */
  | { readonly kind: 'check'; readonly file: string | undefined; readonly text: string }
  | { readonly kind: 'request'; readonly operation: string };

/** How activities are tracked in a process that has a watchdog. */
export interface ActivityTracker {
  /** Calls `work` and counts everything that it starts, timers and promises included, as part of the activity. */
  run<Result>(activity: Activity, work: () => Result): Result;
  /** How often a process has died while its event loop was blocked by this activity. */
  countDeaths(activity: Activity): number;
  /** Tells people that the activity was refused. */
  reportSetAside(activity: Activity): void;
  /** Forgets these deaths. */
  forgetDeaths(activity: Activity): void;
}

/** Deaths after which an activity is refused. */
const mostDeaths = 2;

let tracker: ActivityTracker | undefined;

/** Tracks activities from now on; stops tracking without an argument. */
export function trackActivities(next: ActivityTracker | undefined): void {
  tracker = next;
}

/** Calls `work` as part of an activity. Costs nothing in a process without a watchdog. */
export const runActivity = <Result>(activity: Activity, work: () => Result): Result =>
  tracker === undefined ? work() : tracker.run(activity, work);

/** Whether the process has died twice during this activity, so that it must not be tried again. */
export const isSetAside = (activity: Activity): boolean =>
  tracker !== undefined && tracker.countDeaths(activity) >= mostDeaths;

/** To be called when an activity has been refused. What is recorded as failed with that may be tried again by a person. */
export function reportSetAside(activity: Activity): void {
  tracker?.reportSetAside(activity);
  if (activity.kind !== 'check') tracker?.forgetDeaths(activity);
}

/** Why an activity is refused. */
export const setAsideReason = ({ kind }: Activity): string =>
  `Skipped: the engine process crashed twice while working on this ${nouns[kind]}.`;

const nouns = { run: 'run', delivery: 'delivery', check: 'file', request: 'request' } as const;
