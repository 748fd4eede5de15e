/**
 * The only table of error codes. Only `core/http/problem.ts`, `main/ipc/register.ts` and the command line's entry read
 * `http` and `exit`; all other code throws an `AppError` with a code.
 */
export interface ErrorCodeFacts {
  /** HTTP status of the response. */
  readonly http: number;
  /** Exit code of the `engine` command. */
  readonly exit: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** One sentence for the documentation. */
  readonly meaning: string;
}

const facts = (http: number, exit: number, retryable: boolean, meaning: string): ErrorCodeFacts => ({
  http,
  exit,
  retryable,
  meaning,
});

export const errorCodes = {
  bad_request: facts(400, 2, false, 'The request or command line is invalid. The message names the field.'),
  invalid_spec: facts(
    400,
    1,
    false,
    'The workflow file has errors. `details.diagnostics` lists them with line and column.',
  ),
  not_running: facts(400, 4, false, 'The run is not active.'),
  not_queued: facts(400, 4, false, 'The run is not queued.'),
  unauthorized: facts(401, 6, false, 'Credentials are missing, invalid or expired.'),
  forbidden: facts(403, 6, false, 'The caller, its origin or its role is not allowed to do this.'),
  not_found: facts(404, 3, false, 'The workflow, run, step or path does not exist.'),
  method_not_allowed: facts(405, 2, false, 'The path does not support this HTTP method.'),
  not_acceptable: facts(406, 2, false, 'The caller does not accept JSON.'),
  request_timeout: facts(408, 7, true, 'The request did not arrive in time.'),
  already_exists: facts(409, 4, false, 'A run, workflow or user with this name or id already exists.'),
  conflict: facts(
    409,
    4,
    false,
    'The resource has changed since the caller read it. Reload it and try again.',
  ),
  max_run_reached: facts(409, 4, true, 'The workflow has reached its `maxActiveRuns` limit.'),
  still_running: facts(
    409,
    4,
    true,
    'The run, or another run of the workflow, is still active and must end first.',
  ),
  nothing_to_retry: facts(
    409,
    4,
    false,
    'All steps of the run succeeded or were skipped. Specify a step to retry.',
  ),
  queue_closed: facts(409, 4, true, 'The queue accepts no new runs: it is draining, or queues are disabled.'),
  no_worker: facts(409, 4, true, 'Steps require workers, but no workers have been set up.'),
  stale_owner: facts(409, 4, false, 'Another host owns the run now.'),
  gone: facts(410, 3, false, 'The resource has been permanently removed.'),
  payload_too_large: facts(413, 2, false, 'The request body exceeds the limit.'),
  unsupported_media_type: facts(
    415,
    2,
    false,
    'The media type or encoding of the request body is not supported. The message names the supported types.',
  ),
  validation_failed: facts(
    422,
    2,
    false,
    'The request is well formed but invalid. `details.errors` lists the invalid fields.',
  ),
  too_many_requests: facts(
    429,
    7,
    true,
    'The caller sends requests too quickly or reads its stream too slowly.',
  ),
  headers_too_large: facts(431, 2, false, 'The URL and headers of the request exceed 16 KiB.'),
  internal_error: facts(500, 70, false, 'Internal error. See the server log for details.'),
  database_corrupt: facts(500, 5, false, 'The database of this home is damaged. Nothing was changed.'),
  database_newer: facts(500, 5, false, 'The database was written by a newer release. Nothing was changed.'),
  invalid_config: facts(
    500,
    5,
    false,
    'The configuration file has errors. `details.diagnostics` lists them with line and column.',
  ),
  monitoring_off: facts(500, 5, false, 'Resource monitoring is off on this host.'),
  home_unusable: facts(500, 5, false, 'The home directory cannot be read or written.'),
  unavailable: facts(503, 7, true, 'The engine is starting, stopping or busy.'),
  storage_full: facts(507, 5, true, 'The disk of the home is full.'),
} as const satisfies Record<string, ErrorCodeFacts>;

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
