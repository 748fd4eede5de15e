/** Names of the files in an attempt's directory. */
export const attemptFiles = {
  stdout: 'stdout.log',
  stderr: 'stderr.log',
  /** How the process ended, as JSON; written before anybody is told, so that a take-over finds the truth. */
  exit: 'exit.json',
  /** An inline script while it runs. */
  script: 'script',
} as const;
