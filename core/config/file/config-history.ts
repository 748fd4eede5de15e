import type { KeyHistory } from './read-table.ts';

const database = 'It is kept in the database, in "paths.dataDir".';

/** Words and places of other releases and of Dagu, whose configuration file is accepted. */
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
    'scheduler.lockStaleThreshold': 'A lost scheduler is noticed without this setting. Remove it.',
    'scheduler.lockRetryInterval': 'A lost scheduler is noticed without this setting. Remove it.',
    apiBasePath: 'The API is at /api/v2 below "server.basePath". Remove this.',
    debug: 'Set the variable ENGINE_DEBUG instead. This has no effect.',
    headless: 'The engine needs no window. Remove this.',
    latestStatusToday: 'The newest run counts, whatever its day. Remove this.',
    'paths.suspendFlagsDir': `Which schedules rest needs no folder. ${database} This is not supported.`,
    'paths.dagRunsDir': `The history of runs needs no folder. ${database} This is not supported.`,
    'paths.procDir': `What runs needs no folder. ${database} This is not supported.`,
    'paths.queueDir': `What waits in queues needs no folder. ${database} This is not supported.`,
    'paths.serviceRegistryDir': `Which hosts work needs no folder. ${database} This is not supported.`,
    'paths.usersDir': 'Users are a file in "paths.dataDir". This is not supported.',
    'paths.adminLogsDir':
      'The log of a server goes to stderr; send it to a file there. This is not supported.',
    'paths.executable': 'The engine starts runs without another program. This is not supported.',
    remoteNodes: 'Name another server with --server. This has no effect.',
    'coordinator.advertise':
      'Workers are told where coordinators are; what people are shown is "coordinator.publicUrl". This has no effect.',
    'worker.maxActiveRuns': 'How much a worker does at once is "worker.slots". This has no effect.',
    peer: 'Coordinators and workers have certificates of their own: "coordinator.tls", "worker.tls". This has no effect.',
    'auth.builtin.admin': 'Make the first administrator with "engine users create". This has no effect.',
    'auth.builtin.token.secret': 'The key is made by the engine and kept in the home. This has no effect.',
  },
};
