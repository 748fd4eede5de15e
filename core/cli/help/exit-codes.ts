import { errorCodes, exitCodes } from '../../base/error-codes.ts';

/** Exit codes without an error code. */
const outcomes: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.success, 'success: the run succeeded, or its preconditions were not met'],
  [exitCodes.runFailed, 'the run failed, partially succeeded or was aborted; or a file is invalid'],
  [exitCodes.usage, 'usage error: unknown option or missing argument'],
  [exitCodes.stalled, 'terminated by the watchdog: the event loop was blocked for 30 s'],
  [exitCodes.hungUp, 'stopped by SIGHUP'],
  [exitCodes.interrupted, 'stopped by SIGINT (Ctrl-C)'],
  [exitCodes.terminated, 'stopped by SIGTERM'],
];

/** Returns `engine help exit-codes`: all exit codes with their errors. */
export function exitCodeLines(): string[] {
  const errors = Object.entries(errorCodes).map(
    ([name, { exit, meaning }]) => [exit, `${name}: ${meaning}`] as const,
  );
  const rows = [...outcomes, ...errors].sort(([left], [right]) => left - right);
  return [
    'Exit codes of engine and error codes ({"error": {"code", "message"}} with --format json):',
    '',
    ...rows.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
    '',
    'engine exec exits with the exit code of its command, or with 128 plus the signal number.',
  ];
}

/** Returns the help section with its heading. */
export function exitCodeSection(command: string): string[] {
  return [
    'Exit codes:',
    ...(command === 'exec' ? ["  the command's exit code, or one of these:"] : []),
    ...outcomes.slice(0, 3).map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
    '  3 not found, 4 conflict, 5 home, 6 not allowed, 7 try again, 70 internal error. See: engine help exit-codes',
  ];
}
