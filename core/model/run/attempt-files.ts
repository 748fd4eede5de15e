/** Names of the files in an attempt's directory. */
export const attemptFiles = {
  stdout: 'stdout.log',
  stderr: 'stderr.log',
  /** Sizes of both logs over time; only for attempts that take a while. */
  times: 'output-times',
  /** An inline script while it runs. */
  script: 'script',
} as const;

/**
 * The file in a run's directory with the exit status of its attempts' processes, one JSON line each, written before it
 * is reported, so that a takeover can read it.
 */
export const exitJournal = 'exits.jsonl';
