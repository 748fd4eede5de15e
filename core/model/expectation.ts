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

/** What a job that runs elsewhere reports; `missing` is added when a ping is overdue. */
export const pingKinds = ['success', 'start', 'fail', 'missing'] as const;

export type PingKind = (typeof pingKinds)[number];

/** `late`: overdue within its grace time; `missing`: overdue beyond it. */
export const pingStatuses = ['new', 'ok', 'running', 'late', 'missing', 'failed'] as const;

export type PingStatus = (typeof pingStatuses)[number];

/** When pings are expected. Times in epoch milliseconds. */
export interface PingCheck {
  readonly id: number;
  readonly name: string;
  /** Last part of its address; any client that has it can ping. */
  readonly token: string;
  /** A cron expression; otherwise there is a period. */
  readonly schedule?: string;
  /** Time zone of the schedule. */
  readonly timezone?: string;
  readonly periodMs?: number;
  readonly graceMs: number;
  readonly tags: readonly string[];
  readonly createdAt: number;
  /** The last signal, except `missing`. */
  readonly lastAt?: number;
  readonly lastKind?: PingKind;
  /** Start of the job that runs now. */
  readonly startedAt?: number;
}

/** A ping in the history of a check. */
export interface PingRecord {
  readonly id: number;
  readonly at: number;
  readonly kind: PingKind;
  readonly exitCode?: number;
  /** Since the start, if there was one. */
  readonly durationMs?: number;
  readonly method?: string;
  readonly address?: string;
  readonly userAgent?: string;
  /** The first 10 kB of the request body, or why a ping is missing. */
  readonly body?: string;
}

/** Maximum number of bytes of a body that are stored. */
export const maxPingBytes = 10_000;
