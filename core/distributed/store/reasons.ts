/** Why a task was lost, in one sentence. */
export const lostReasons = {
  silent: (worker: string, leaseMs: number): string =>
    `Worker ${worker} has not responded for ${leaseMs / 1000} s.`,
  restarted: (worker: string): string => `Worker ${worker} was restarted without resuming the step.`,
  left: (worker: string): string => `Worker ${worker} left before the step finished.`,
  removed: (worker: string): string => `Worker ${worker} was removed.`,
} as const;
