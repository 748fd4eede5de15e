import type { KeyHistory } from './read-table.ts';

const files = 'Everything of an installation lies in its home (ENGINE_HOME); move the files there.';
const machines = 'This release runs workflows on one machine.';

/** Words and places of other releases and of the peer (peer 7), whose configuration file is accepted. */
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
    logFormat: 'The log of a server is text. This has no effect.',
    defaultShell: 'Give "shell" in base.yaml instead. This has no effect.',
    workDir: 'Give "workingDir" in base.yaml instead. This has no effect.',
    paths: `${files} This has no effect.`,
    ui: 'The user interface keeps its own settings. This has no effect.',
    remoteNodes: 'Name another server with --server. This has no effect.',
    coordinator: `${machines} This has no effect.`,
    worker: `${machines} This has no effect.`,
    peer: `${machines} This has no effect.`,
    'auth.builtin.admin': 'Make the first administrator with "engine users create". This has no effect.',
    'auth.builtin.token.secret': 'The key is made by the engine and kept in the home. This has no effect.',
  },
};
