/** Why a run cannot be started, whether from a file or from a text. */
export const startRefusals = [
  'not_found',
  'invalid_spec',
  'already_exists',
  'max_run_reached',
  'still_running',
  'queue_closed',
  'no_worker',
] as const;
