import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ConfigOrigin, ConfigOverrides } from './config-key.ts';
import type { KeyHistory } from './read-table.ts';

/** Keys that must be set together. */
const pairs = [
  ['server.tls.certFile', 'server.tls.keyFile', 'ENGINE_CERT_FILE and ENGINE_KEY_FILE'],
  ['auth.basic.username', 'auth.basic.password', 'AUTH_BASIC_USERNAME and AUTH_BASIC_PASSWORD'],
  [
    'coordinator.tls.certFile',
    'coordinator.tls.keyFile',
    'ENGINE_COORDINATOR_TLS_CERT and ENGINE_COORDINATOR_TLS_KEY',
  ],
  ['worker.tls.certFile', 'worker.tls.keyFile', 'ENGINE_WORKER_TLS_CERT and ENGINE_WORKER_TLS_KEY'],
] as const;

/** Keys that require another key. */
const needs = [['coordinator.tls.crlFile', 'coordinator.tls.clientCaFile']] as const;

/** Checks dependencies between values. Each message is reported at one of the values. */
export function checkConfig(explicitValues: ConfigOverrides): Diagnostic[] {
  return [
    ...checkPairs(explicitValues),
    ...checkRequirements(explicitValues),
    ...checkOidc(explicitValues),
    ...checkIssuer(explicitValues),
  ];
}

function checkPairs(explicitValues: ConfigOverrides): Diagnostic[] {
  return pairs.flatMap(([first, second, variables]) => {
    if (explicitValues.has(first) === explicitValues.has(second)) return [];
    const [there, missing] = explicitValues.has(first) ? [first, second] : [second, first];
    const message = `"${there}" requires "${missing}". Set both (variables ${variables}), or neither.`;
    return [diagnose('error', there, message, explicitValues)];
  });
}

function checkRequirements(explicitValues: ConfigOverrides): Diagnostic[] {
  return needs.flatMap(([path, needed]) =>
    explicitValues.has(path) && !explicitValues.has(needed)
      ? [diagnose('error', path, `"${path}" requires "${needed}".`, explicitValues)]
      : [],
  );
}

function checkOidc(explicitValues: ConfigOverrides): Diagnostic[] {
  const mode = explicitValues.get('auth.mode')?.value;
  const missing = ['auth.oidc.issuer', 'auth.oidc.clientId'].filter((path) => !explicitValues.has(path));
  if (mode === 'oidc' && missing.length > 0) {
    const names = missing.map((path) => `"${path}"`).join(' and ');
    return [diagnose('error', 'auth.mode', `Mode oidc requires ${names}.`, explicitValues)];
  }
  // Dagu derives the mode from these keys. Here it must be set explicitly, so that a missing mode is not mistaken for
  // enabled authentication.
  if (explicitValues.has('auth.mode') || missing.length > 0) return [];
  const message = 'A provider is set, but sign-in is off. Set "auth.mode" or AUTH_MODE to oidc.';
  return [diagnose('warning', 'auth.oidc.issuer', message, explicitValues)];
}

/** Checks that the issuer uses https. Tokens over http are not trustworthy, except on the loopback interface. */
function checkIssuer(explicitValues: ConfigOverrides): Diagnostic[] {
  const issuer = explicitValues.get('auth.oidc.issuer')?.value;
  if (typeof issuer !== 'string') return [];
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return [];
  const message = 'The issuer must use https, unless it is on this machine.';
  return [diagnose('error', 'auth.oidc.issuer', message, explicitValues)];
}

function diagnose(
  severity: Diagnostic['severity'],
  path: string,
  message: string,
  explicitValues: ConfigOverrides,
): Diagnostic {
  return { severity, path, message, ...getLocation(explicitValues.get(path)?.origin) };
}

function getLocation(
  origin: ConfigOrigin = { kind: 'default' },
): Pick<Diagnostic, 'file' | 'line' | 'column'> {
  if (origin.kind === 'file') return origin;
  const file = origin.kind === 'default' ? '' : `${origin.kind} ${origin.name}`;
  return { file, line: 0, column: 0 };
}

const database = 'This data is stored in the database in "paths.dataDir".';

/** Keys and paths of other releases and of Dagu, whose configuration file is accepted. */
export const configHistory: KeyHistory = {
  aliases: { monitoring: 'monitor', interval: 'intervalSec', whitelist: 'allowedEmails' },
  moved: {
    host: 'server.host',
    port: 'server.port',
    basePath: 'server.basePath',
    tls: 'server.tls',
    'auth.oidc.clientUrl': 'server.publicUrl',
    'auth.builtin.token.ttl': 'auth.builtin.tokenTtl',
  },
  withoutEffect: {
    'scheduler.lockStaleThreshold': 'Scheduler failures are detected automatically. Remove this setting.',
    'scheduler.lockRetryInterval': 'Scheduler failures are detected automatically. Remove this setting.',
    apiBasePath: 'The API is at /api/v2 below "server.basePath". Remove this setting.',
    debug: 'Use the environment variable ENGINE_DEBUG instead. This setting has no effect.',
    headless: 'The engine always runs without a window. Remove this setting.',
    latestStatusToday: 'The latest run is always used, regardless of the day. Remove this setting.',
    'paths.suspendFlagsDir': `Suspended schedules are not stored in a folder. ${database} This setting is not supported.`,
    'paths.dagRunsDir': `The run history is not stored in a folder. ${database} This setting is not supported.`,
    'paths.procDir': `Active runs are not stored in a folder. ${database} This setting is not supported.`,
    'paths.queueDir': `Queued runs are not stored in a folder. ${database} This setting is not supported.`,
    'paths.serviceRegistryDir': `Hosts are not stored in a folder. ${database} This setting is not supported.`,
    'paths.usersDir': 'Users are stored in a file in "paths.dataDir". This setting is not supported.',
    'paths.adminLogsDir': 'The server logs to stderr. Redirect it to a file; this setting is not supported.',
    'paths.executable':
      'The engine starts runs itself, without an external program. This setting is not supported.',
    remoteNodes: 'Use --server to connect to another server. This setting has no effect.',
    'coordinator.advertise':
      'Workers are configured with coordinator URLs; use "coordinator.publicUrl" for the URL shown to users. This setting has no effect.',
    'worker.maxActiveRuns':
      'Use "worker.slots" for the number of parallel steps of a worker. This setting has no effect.',
    peer: 'Use the certificates in "coordinator.tls" and "worker.tls". This setting has no effect.',
    'auth.builtin.admin': 'Create the first admin with "engine users create". This setting has no effect.',
    'auth.builtin.token.secret':
      'The engine generates the key and stores it in the home. This setting has no effect.',
  },
};
