/**
 * The one table of refusal codes. Only `core/http/problem.ts`, `main/ipc/register.ts` and the
 * command line's entry read `http` and `exit`; everybody else throws an `AppError` with a code.
 */
export interface ErrorCodeFacts {
  /** HTTP status of the reply. */
  readonly http: number;
  /** Exit code of the `engine` command. */
  readonly exit: number;
  /** Whether the same request may succeed later without a change. */
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
  bad_request: facts(400, 2, false, 'The request or command line is malformed; the message names the field.'),
  invalid_spec: facts(
    400,
    1,
    false,
    'The workflow file has errors; `details.diagnostics` lists them with line and column.',
  ),
  not_running: facts(400, 4, false, 'The run is not active, so there is nothing to stop.'),
  not_queued: facts(400, 4, false, 'The run does not wait in a queue.'),
  unauthorized: facts(401, 6, false, 'Credentials are missing, wrong or expired.'),
  forbidden: facts(403, 6, false, 'The caller, its origin or its role may not do this.'),
  not_found: facts(404, 3, false, 'The named workflow, run, step or path does not exist.'),
  method_not_allowed: facts(405, 2, false, 'The path exists, but not for this HTTP method.'),
  not_acceptable: facts(406, 2, false, 'The caller takes no JSON, which is all there is.'),
  request_timeout: facts(
    408,
    7,
    true,
    'The request did not arrive in time; a connection must not be held open with half of one.',
  ),
  already_exists: facts(409, 4, false, 'A run, workflow or user with this identity exists already.'),
  conflict: facts(
    409,
    4,
    false,
    'What was to be changed has been changed by somebody else meanwhile; read it anew.',
  ),
  max_run_reached: facts(409, 4, true, 'The workflow has as many active runs as `maxActiveRuns` allows.'),
  still_running: facts(
    409,
    4,
    true,
    'A run is active that has to end first: the run itself, or another one of the workflow.',
  ),
  nothing_to_retry: facts(409, 4, false, 'Every step of the run succeeded or was skipped; name a step.'),
  queue_closed: facts(
    409,
    4,
    true,
    'The queue takes no new runs: it is being drained, or queues are switched off.',
  ),
  no_worker: facts(409, 4, true, 'Steps ask for workers, and nothing has ever been set up for any.'),
  stale_owner: facts(409, 4, false, 'Another host owns the run now; this writer has lost it.'),
  gone: facts(410, 3, false, 'What the address stood for has been removed and will not come back.'),
  payload_too_large: facts(413, 2, false, 'The request body is over the limit.'),
  unsupported_media_type: facts(
    415,
    2,
    false,
    'The request body is not of a type, or not in an encoding, that is read here; the message names what is.',
  ),
  validation_failed: facts(
    422,
    2,
    false,
    'The request is well formed, but what it asks for cannot be; `details.errors` says why, field by field.',
  ),
  too_many_requests: facts(
    429,
    7,
    true,
    'The caller sends requests too quickly or reads its stream too slowly.',
  ),
  headers_too_large: facts(
    431,
    2,
    false,
    'The head of the request, its address and its headers, is over 16 KiB.',
  ),
  internal_error: facts(500, 70, false, 'A defect of the engine; the server log has the details.'),
  database_corrupt: facts(500, 5, false, 'The database of this home is damaged; nothing was changed.'),
  database_newer: facts(500, 5, false, 'The database was written by a newer release; nothing was changed.'),
  invalid_config: facts(
    500,
    5,
    false,
    'The configuration file has errors; `details.diagnostics` lists them with line and column.',
  ),
  monitoring_off: facts(500, 5, false, 'This host does not monitor resources.'),
  home_unusable: facts(500, 5, false, 'The home directory cannot be read or written.'),
  unavailable: facts(503, 7, true, 'The engine is starting, stopping or busy.'),
  storage_full: facts(507, 5, true, 'The disk that holds the home is full.'),
} as const satisfies Record<string, ErrorCodeFacts>;

/** A refusal code, as it appears in API replies and `--format json`. */
export type ErrorCode = keyof typeof errorCodes;

/** Exit codes of `engine` that no refusal stands for (docs/cli.md lists all of them). */
export const exitCodes = {
  success: 0,
  runFailed: 1,
  usage: 2,
  /** Ended by its own watchdog (core/process/watchdog/stall-watch.ts). */
  stalled: 75,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
