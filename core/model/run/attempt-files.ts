/** Names of the files in an attempt's directory. */
export const attemptFiles = {
  stdout: 'stdout.log',
  stderr: 'stderr.log',
  /** How far the two reached at which times; only of attempts that take a while. */
  times: 'output-times',
  /** An inline script while it runs. */
  script: 'script',
} as const;

/**
 * The file in a run's directory that tells how its attempts' processes ended, one JSON line for each, written
 * before anybody is told, so that a take-over finds the truth.
 */
export const exitJournal = 'exits.jsonl';
