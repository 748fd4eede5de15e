/** Variables that commands look at, in the order in which they are told. */
export const environmentVariables: readonly (readonly [names: string, meaning: string])[] = [
  ['ENGINE_HOME', 'the home: workflows, history, logs; as --engine-home'],
  [
    'ENGINE_CONFIG',
    'the configuration file, as --config; each of its keys has a variable: docs/configuration.md',
  ],
  ['ENGINE_SERVER', 'URL of a server to work through, as --server; --engine-home goes before it'],
  ['ENGINE_SERVER_TOKEN', 'API token for that server, as --token'],
  ['ENGINE_DAGS_DIR, ENGINE_LOG_DIR, ENGINE_DATA_DIR', 'folders of the home that lie elsewhere'],
  ['ENGINE_BASE_CONFIG', 'the base configuration, instead of base.yaml in the home'],
  ['TRACEPARENT, TRACESTATE', 'the trace that runs started by the command belong to'],
  ['ENGINE_DEBUG', 'when set, a refusal is followed by its stack on stderr'],
  ['NO_COLOR, FORCE_COLOR', 'colours off or on'],
  ['CI, TERM', 'CI set or TERM=dumb: progress as lines'],
];

/** The section of a help page, with its heading. */
export function environmentSection(): string[] {
  const width = Math.max(...environmentVariables.map(([names]) => names.length));
  return [
    'Environment:',
    ...environmentVariables.map(([names, meaning]) => `  ${names.padEnd(width)}  ${meaning}`),
  ];
}
