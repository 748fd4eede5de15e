import type { ErrorCode } from '../../../core/base/error-codes.ts';

const words: Readonly<Record<'done' | ErrorCode, string>> = {
  done: 'Done',
  bad_request: 'Malformed',
  invalid_spec: 'Errors in the workflow',
  not_running: 'Not running',
  not_queued: 'Not in a queue',
  unauthorized: 'Credentials wrong',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  method_not_allowed: 'Wrong method',
  not_acceptable: 'Takes no JSON',
  request_timeout: 'Came too slowly',
  already_exists: 'Exists already',
  conflict: 'Changed meanwhile',
  max_run_reached: 'Too many active runs',
  still_running: 'Still running',
  nothing_to_retry: 'Nothing to retry',
  queue_closed: 'Queue takes no runs',
  no_worker: 'No workers set up',
  stale_owner: 'Owned by another host',
  gone: 'Removed for good',
  payload_too_large: 'Too large',
  unsupported_media_type: 'Unknown kind of body',
  validation_failed: 'Not valid',
  too_many_requests: 'Too many requests',
  headers_too_large: 'Headers too large',
  internal_error: 'Defect of the engine',
  database_corrupt: 'Database damaged',
  database_newer: 'Database too new',
  invalid_config: 'Configuration wrong',
  monitoring_off: 'Not monitored',
  home_unusable: 'Home not usable',
  unavailable: 'Engine not ready',
  storage_full: 'Disk full',
};

/** How what an entry is about went, in a few words; a code that there is no longer stays as it is. */
export const describeOutcome = (outcome: string): string =>
  Object.hasOwn(words, outcome) ? words[outcome as ErrorCode] : outcome;
