/** What can be missed: a success in time, a duration, or a run at all. */
export const missedKinds = ['late', 'long', 'missing'] as const;

export type MissedKind = (typeof missedKinds)[number];

/** What was missed: a field of `expect`, or a scheduled start. */
export const missedRules = ['by', 'within', 'longest', 'every', 'start'] as const;

export type MissedRule = (typeof missedRules)[number];

/** Something that was expected and did not happen in time. Times in epoch milliseconds. */
export interface MissedExpectation {
  /** Name of the workflow file. */
  readonly dag: string;
  readonly kind: MissedKind;
  readonly rule: MissedRule;
  readonly deadline: number;
  /** Name of the workflow. */
  readonly name: string;
  /** The run that is late or long. */
  readonly dagRunId?: string;
  /** What was expected, in one sentence. */
  readonly message: string;
}

/** Number of successful runs that a usual duration needs. */
export const minUsualRuns = 5;
