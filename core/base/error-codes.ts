/**
 * The only table of error codes. Only `core/http/http-error.ts`, `main/engine-ipc.ts` and the command line's entry read
 * `http` and `exit`; all other code throws an `AppError` with a code.
 */
export interface ErrorCodeInfo {
  /** HTTP status of the response. */
  readonly http: number;
  /** Exit code of the `engine` command. */
  readonly exit: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** One sentence for the documentation. */
  readonly meaning: string;
}

const info = (http: number, exit: number, retryable: boolean, meaning: string): ErrorCodeInfo => ({
  http,
  exit,
  retryable,
  meaning,
});

export const errorCodes = {
  bad_request: info(400, 2, false, 'The request or command line is invalid. The message names the field.'),
  invalid_spec: info(
    400,
    1,
    false,
    'The workflow file has errors. `details.diagnostics` lists them with line and column.',
  ),
  not_running: info(400, 4, false, 'The run is not active.'),
  not_queued: info(400, 4, false, 'The run is not queued.'),
  unauthorized: info(401, 6, false, 'Credentials are missing, invalid or expired.'),
  forbidden: info(403, 6, false, 'The caller, its origin or its role is not allowed to do this.'),
  not_found: info(404, 3, false, 'The workflow, run, step or path does not exist.'),
  method_not_allowed: info(405, 2, false, 'The path does not support this HTTP method.'),
  not_acceptable: info(406, 2, false, 'The caller does not accept JSON.'),
  request_timeout: info(408, 7, true, 'The request did not arrive in time.'),
  already_exists: info(409, 4, false, 'A run, workflow or user with this name or ID already exists.'),
  conflict: info(
    409,
    4,
    false,
    'The resource has changed since the caller read it. Reload it and try again.',
  ),
  max_run_reached: info(409, 4, true, 'The workflow has reached its `maxActiveRuns` limit.'),
  still_running: info(
    409,
    4,
    true,
    'The run, or another run of the workflow, is still active and must end first.',
  ),
  nothing_to_retry: info(
    409,
    4,
    false,
    'All steps of the run succeeded or were skipped. Specify a step to retry.',
  ),
  queue_closed: info(409, 4, true, 'The queue accepts no new runs: it is draining, or queues are disabled.'),
  no_worker: info(409, 4, true, 'Steps require workers, but no workers have been set up.'),
  stale_owner: info(409, 4, false, 'Another host owns the run now.'),
  gone: info(410, 3, false, 'The resource has been permanently removed.'),
  payload_too_large: info(413, 2, false, 'The request body exceeds the limit.'),
  unsupported_media_type: info(
    415,
    2,
    false,
    'The media type or encoding of the request body is not supported. The message names the supported types.',
  ),
  validation_failed: info(
    422,
    2,
    false,
    'The request is well formed but invalid. `details.errors` lists the invalid fields.',
  ),
  too_many_requests: info(
    429,
    7,
    true,
    'The caller sends requests too quickly or reads its stream too slowly.',
  ),
  headers_too_large: info(431, 2, false, 'The URL and headers of the request exceed 16 KiB.'),
  internal_error: info(500, 70, false, 'Internal error. See the server log for details.'),
  database_corrupt: info(500, 5, false, 'The database of this home is damaged. Nothing was changed.'),
  database_newer: info(500, 5, false, 'The database was written by a newer release. Nothing was changed.'),
  invalid_config: info(
    500,
    5,
    false,
    'The configuration file has errors. `details.diagnostics` lists them with line and column.',
  ),
  monitoring_off: info(500, 5, false, 'Resource monitoring is off on this host.'),
  home_unusable: info(500, 5, false, 'The home directory cannot be read or written.'),
  unavailable: info(503, 7, true, 'The engine is starting, stopping or busy.'),
  storage_full: info(507, 5, true, 'The disk of the home is full.'),
} as const satisfies Record<string, ErrorCodeInfo>;

/** An error code, as in API responses and `--format json`. */
export type ErrorCode = keyof typeof errorCodes;

/** Exit codes of `engine` without an error code (docs/cli.md lists all of them). */
export const exitCodes = {
  success: 0,
  runFailed: 1,
  usage: 2,
  /** Terminated by its own watchdog (core/process/watchdog/stall-watch.ts). */
  stalled: 75,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
