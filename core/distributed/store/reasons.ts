/** Why a task is lost, in one sentence. */
export const lostReasons = {
  silent: (worker: string, leaseMs: number): string =>
    `The worker ${worker} gave no sign of life for ${leaseMs / 1000} s.`,
  restarted: (worker: string): string => `The worker ${worker} was started anew and did not go on with it.`,
  left: (worker: string): string => `The worker ${worker} left before it had finished.`,
  removed: (worker: string): string => `The worker ${worker} was removed.`,
} as const;
