/** Errors when a run is started from a file or text. */
export const startErrors = [
  'not_found',
  'invalid_spec',
  'already_exists',
  'max_run_reached',
  'still_running',
  'queue_closed',
  'no_worker',
] as const;
