/** Work whose cost depends on user input. The watchdog names it when the event loop is blocked. */
export type Activity =
  | { readonly kind: 'run'; readonly dag: string; readonly dagRunId: string }
  | { readonly kind: 'delivery'; readonly receivedKey: number }
  /** Validation of a workflow file, or of source that did not come from a file. */
  | { readonly kind: 'check'; readonly file: string | undefined; readonly text: string }
  | { readonly kind: 'request'; readonly operation: string };

/** How activities are tracked in a process that has a watchdog. */
export interface ActivityTracker {
  /** Calls `work` and attributes everything that it starts, including timers and promises, to the activity. */
  run<Result>(activity: Activity, work: () => Result): Result;
  /** Returns how often a process has died while its event loop was blocked by this activity. */
  countCrashes(activity: Activity): number;
  /** Reports that the activity was rejected. */
  reportQuarantined(activity: Activity): void;
  /** Clears the crashes of this activity. */
  forgetCrashes(activity: Activity): void;
}

/** Crashes after which an activity is rejected. */
const maxCrashes = 2;

let tracker: ActivityTracker | undefined;

/** Starts to track activities; stops tracking when called without an argument. */
export function trackActivities(next: ActivityTracker | undefined): void {
  tracker = next;
}

/** Calls `work` as part of an activity. Costs nothing in a process without a watchdog. */
export const runActivity = <Result>(activity: Activity, work: () => Result): Result =>
  tracker === undefined ? work() : tracker.run(activity, work);

/** Whether the process has died twice during this activity, so that it must not be tried again. */
export const isQuarantined = (activity: Activity): boolean =>
  tracker !== undefined && tracker.countCrashes(activity) >= maxCrashes;

/** Call this when an activity has been rejected. A user may retry the failed activity. */
export function reportQuarantined(activity: Activity): void {
  tracker?.reportQuarantined(activity);
  if (activity.kind !== 'check') tracker?.forgetCrashes(activity);
}

/** Returns why an activity is rejected. */
export const quarantineReason = ({ kind }: Activity): string =>
  `Skipped: the engine process crashed twice while working on this ${nouns[kind]}.`;

const nouns = { run: 'run', delivery: 'delivery', check: 'file', request: 'request' } as const;
