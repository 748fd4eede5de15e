import type { ErrorCode } from '../../../core/base/error-codes.ts';

const words: Readonly<Record<'done' | ErrorCode, string>> = {
  done: 'Succeeded',
  bad_request: 'Bad request',
  invalid_spec: 'Invalid workflow',
  not_running: 'Not running',
  not_queued: 'Not queued',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  not_acceptable: 'Not acceptable',
  request_timeout: 'Request timed out',
  already_exists: 'Already exists',
  conflict: 'Conflict',
  max_run_reached: 'Too many active runs',
  still_running: 'Still running',
  nothing_to_retry: 'Nothing to retry',
  queue_closed: 'Queue closed',
  no_worker: 'No workers',
  stale_owner: 'Owned by another host',
  gone: 'Deleted',
  payload_too_large: 'Too large',
  unsupported_media_type: 'Unsupported media type',
  validation_failed: 'Validation failed',
  too_many_requests: 'Too many requests',
  headers_too_large: 'Headers too large',
  internal_error: 'Internal error',
  database_corrupt: 'Database corrupt',
  database_newer: 'Database too new',
  invalid_config: 'Invalid configuration',
  monitoring_off: 'Monitoring off',
  home_unusable: 'Home not usable',
  unavailable: 'Engine not ready',
  storage_full: 'Disk full',
};

/** Describes the outcome of an entry; an unknown code is returned unchanged. */
export const describeOutcome = (outcome: string): string =>
  Object.hasOwn(words, outcome) ? words[outcome as ErrorCode] : outcome;
