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
