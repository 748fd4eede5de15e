import type { KeyHistory } from './read-table.ts';

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
