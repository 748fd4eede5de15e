import { errorCodes, exitCodes } from '../base/error-codes.ts';

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
  const rows = [...outcomes, ...errors].sort(([a], [b]) => a - b);
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

/** Environment variables of commands, in the order of the help. */
export const environmentVariables: readonly (readonly [names: string, meaning: string])[] = [
  ['ENGINE_HOME', 'Home directory with workflows, history and logs. Same as --engine-home.'],
  [
    'ENGINE_CONFIG',
    'Configuration file. Same as --config. Each key has its own variable: see docs/configuration.md.',
  ],
  ['ENGINE_SERVER', 'Server URL. Same as --server. --engine-home takes precedence.'],
  ['ENGINE_SERVER_TOKEN', 'API token for the server. Same as --token.'],
  ['ENGINE_DAGS_DIR, ENGINE_LOG_DIR, ENGINE_DATA_DIR', 'Folders of the home stored elsewhere.'],
  ['ENGINE_BASE_CONFIG', 'Base configuration file. Default: base.yaml in the home.'],
  ['TRACEPARENT, TRACESTATE', 'Trace context for runs started by the command.'],
  ['ENGINE_DEBUG', 'If set, errors are printed with their stack trace.'],
  ['NO_COLOR, FORCE_COLOR', 'Turn colors off or on.'],
  ['CI, TERM', 'If CI is set or TERM=dumb, progress is printed line by line.'],
];

/** Returns the help section with its heading. */
export function environmentSection(): string[] {
  const width = Math.max(...environmentVariables.map(([names]) => names.length));
  return [
    'Environment:',
    ...environmentVariables.map(([names, meaning]) => `  ${names.padEnd(width)}  ${meaning}`),
  ];
}
