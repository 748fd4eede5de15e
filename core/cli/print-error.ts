import { type ErrorCode, errorCodes, exitCodes } from '../base/error-codes.ts';
import { type AppError, toErrorBody } from '../base/errors.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import type { Channel, Terminal } from './terminal.ts';
import type { StopSignal } from './command-context.ts';

/** Hints for errors whose message does not say what to do. */
const hints: Partial<Record<ErrorCode, string>> = {
  nothing_to_retry: 'Use --step NAME to run a step again, and --downstream to include the steps after it.',
  max_run_reached:
    'Wait for the active run, stop it with "engine stop", or raise maxActiveRuns in the workflow file.',
  home_unusable: 'Use another home with --engine-home DIR or ENGINE_HOME.',
  database_corrupt: 'Run "engine check" for details. See docs/maintenance.md for recovery.',
  database_newer: 'Update this engine, or use another home with --engine-home DIR.',
  storage_full: 'Free some disk space and try again.',
  unauthorized:
    'Set an API token of the server with ENGINE_SERVER_TOKEN or --token. Create one there with "engine tokens create".',
  internal_error: 'This is a bug. Set ENGINE_DEBUG=1 to see the stack trace, and please report it.',
};

/** Reports an error: `engine: message` and a hint on stderr, or one JSON object on stdout. Returns its exit code. */
export async function printError(
  terminal: Terminal,
  error: AppError,
  options: { readonly json: boolean; readonly debug: boolean },
): Promise<number> {
  const { stdout, stderr } = terminal;
  if (options.json) await stdout.write(`${JSON.stringify({ error: toErrorBody(error) })}\n`);
  else {
    const message = error.code === 'invalid_spec' ? await printDiagnostics(stderr, error) : error.message;
    await stderr.write(`${formatErrorLines(error, message).join('\n')}\n`);
  }
  const cause = error.cause instanceof Error ? error.cause : error;
  if (options.debug && cause.stack !== undefined) await stderr.write(`${cause.stack}\n`);
  return errorCodes[error.code].exit;
}

/** Returns the lines for a person. A `nearest` in the details is the suggested name. */
export function formatErrorLines(error: AppError, message = error.message): string[] {
  const nearest = error.details?.['nearest'];
  const hint =
    typeof nearest === 'string' && !error.message.includes(`Did you mean "${nearest}"?`)
      ? `Did you mean "${nearest}"?`
      : (error.details?.['hint'] ?? hints[error.code]);
  return [`engine: ${message}`, ...(typeof hint === 'string' ? [`  hint: ${hint}`] : [])];
}

/**
 * Prints the diagnostics of the workflow file and base configuration with their source lines. Loaded on demand,
 * because few commands need it. Returns the rest of the message: API messages end with the first diagnostic, which has
 * been printed.
 */
async function printDiagnostics(channel: Channel, { message, details }: AppError): Promise<string> {
  const { readDiagnostics, readFileText, showDiagnostics } = await import('./show-diagnostics.ts');
  const { formatDiagnostic } = await import('../spec/format-diagnostic.ts');
  const diagnostics = readDiagnostics(details);
  for (const [file, fileDiagnostics] of Map.groupBy(diagnostics, (diagnostic) => diagnostic.file))
    await channel.write(showDiagnostics(channel, fileDiagnostics, readFileText(file)));
  const [first] = diagnostics;
  return first === undefined ? message : message.split(`: ${formatDiagnostic(first)}`, 1)[0]!;
}

/**
 * Returns the exit code after a run has ended. A run whose preconditions were not met is a success.
 * @param signal signal that asked this process to stop; a run that succeeded anyway is a success
 */
export function runExitCode(run: Pick<RunDetailView, 'status' | 'cause'>, signal?: StopSignal): number {
  if (run.status === 'succeeded') return exitCodes.success;
  if (signal !== undefined) return signalExitCodes[signal];
  return run.status === 'aborted' && run.cause === 'preconditions' ? exitCodes.success : exitCodes.runFailed;
}

/** Like a shell reports a program ended by a signal: 128 plus the signal number. */
export const signalExitCodes = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const satisfies Record<StopSignal, number>;
