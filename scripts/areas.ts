/**
 * The one table of who may import whom; `architecture.ts` says how it is read. ARCHITECTURE.md draws it as a picture. A new
 * folder needs a row here before it may import anything.
 */

/** A part of the source tree and the doors it may use. Paths are relative to the repository root. */
export interface Area {
  /** A folder, or a single file when it ends in `.ts`. The longest match decides. */
  readonly path: string;
  /** Areas, or single files, outside this one that it may import. */
  readonly mayImport: readonly string[];
  /** True when Node's own modules and packages made for Node are out of reach. */
  readonly withoutNode?: true;
}

/** Rules without I/O: usable in the engine, in the window and in a test alike. */
export const PURE = ['core/base', 'core/model', 'core/contract', 'core/plan', 'core/spec'] as const;

export const AREAS: readonly Area[] = [
  { path: 'core/base', mayImport: [], withoutNode: true },
  { path: 'core/model', mayImport: ['core/base'], withoutNode: true },
  { path: 'core/contract', mayImport: ['core/model', 'core/base'], withoutNode: true },
  { path: 'core/plan', mayImport: ['core/model', 'core/base'], withoutNode: true },
  {
    path: 'core/spec',
    mayImport: [
      'core/plan',
      'core/model',
      'core/base',
      // What a shell expands and what stays as written, which validation warns of.
      'core/executors/shell/scan-shell-text.ts',
      'core/executors/shell/shell-part.ts',
    ],
    withoutNode: true,
  },
  // Edits of workflow files as splices of their text; for the window and, one day, for others.
  {
    path: 'core/edit',
    mayImport: [
      'core/spec',
      'core/plan',
      'core/model',
      'core/base',
      // What a shell expands and what not, as pure as the rest: an id is found where the engine would find it.
      'core/executors/shell/scan-shell-text.ts',
      'core/executors/shell/shell-part.ts',
    ],
    withoutNode: true,
  },
  // Workflows made of scripts, crontabs and makefiles: text in, text out.
  { path: 'core/import', mayImport: ['core/base'], withoutNode: true },
  { path: 'core/config', mayImport: [...PURE] },
  // Files that are there for good once they are written.
  { path: 'core/files', mayImport: [] },
  { path: 'core/process', mayImport: [...PURE] },
  // Threads that are ended at a deadline.
  { path: 'core/threads', mayImport: ['core/base'] },
  // Workflow texts, large ones in a thread.
  { path: 'core/loading', mayImport: [...PURE, 'core/threads', 'core/system-clock.ts'] },
  // A program of its own beside the engine.
  {
    path: 'core/process/supervisor/program.ts',
    mayImport: [...PURE, 'core/process', 'core/system-clock.ts'],
  },
  // A thread of its own beside the engine.
  {
    path: 'core/process/watchdog/thread.ts',
    mayImport: [...PURE, 'core/process', 'core/system-clock.ts'],
  },
  { path: 'core/hosts', mayImport: [...PURE, 'core/process'] },
  {
    path: 'core/store',
    mayImport: [
      ...PURE,
      'core/run/ports.ts',
      'core/run/approvals/ports.ts',
      'core/hosts/ports.ts',
      'core/scheduler/ports.ts',
      'core/queue/ports.ts',
      'core/maintenance/ports.ts',
      'core/library/editor/ports.ts',
      'core/audit/ports.ts',
      'core/webhooks/outbound/ports.ts',
      'core/webhooks/inbound/ports.ts',
      // Rules without I/O: what is told of a run is written with what happened to it.
      'core/webhooks/sources',
      // How the URL of a PostgreSQL server is read.
      'core/gateway/database/server/connection-settings.ts',
    ],
  },
  // A thread of its own beside the engine.
  {
    path: 'core/store/database/postgres/session-thread.ts',
    mayImport: [...PURE, 'core/store', 'core/system-clock.ts'],
  },
  // Work on other machines: hosts offer, coordinators hand over, workers do.
  {
    path: 'core/distributed',
    mayImport: [
      ...PURE,
      'core/store',
      // How the address of a server is read.
      'core/gateway/database/server/connection-settings.ts',
      'core/config',
      'core/files',
      'core/process',
      'core/executors',
      'core/secrets',
      // What workers have in common with hosts: how values are expanded and outputs captured.
      'core/run/values',
      // How the folder of a run is called.
      'core/run/kept/remove-logs.ts',
      // What hosts ask for.
      'core/run/remote/ports.ts',
      'core/run/workers.ts',
      // What the server for workers has in common with that of the API.
      'core/http/broken-request.ts',
      'core/http/connections.ts',
      'core/http/json-bodies.ts',
      'core/http/listen.ts',
      'core/http/origin-guard.ts',
      'core/http/problem.ts',
      'core/http/response-headers.ts',
      'core/http/without-schemas.ts',
      'core/http/tls',
    ],
  },
  // Who did what, whatever way they came.
  { path: 'core/audit', mayImport: [...PURE] },
  {
    // Work on a home that needs no engine: removing runs, copies, migration.
    path: 'core/maintenance',
    mayImport: [
      ...PURE,
      'core/config',
      'core/files',
      'core/store',
      'core/run/ports.ts',
      'core/run/kept/remove-logs.ts',
      'core/run/kept/log-places.ts',
    ],
  },
  { path: 'core/monitor', mayImport: [...PURE, 'core/process'] },
  { path: 'core/queue', mayImport: [...PURE, 'core/config', 'core/hosts', 'core/run'] },
  // Counts for Prometheus; opened by hosts that serve.
  { path: 'core/metrics', mayImport: [...PURE, 'core/run', 'core/queue', 'core/scheduler'] },
  { path: 'core/library', mayImport: [...PURE, 'core/config', 'core/files', 'core/loading', 'core/threads'] },
  // Users, tokens and sessions: rules and files, no HTTP.
  { path: 'core/auth', mayImport: [...PURE, 'core/config', 'core/files', 'core/store/file-lock.ts'] },
  { path: 'core/logs', mayImport: [...PURE, 'core/config'] },
  // Quotes about the Dispatcher: data, and whom they are about.
  { path: 'core/quotes', mayImport: [...PURE] },
  // The database gateway: PostgreSQL over REST. No HTTP in it; requests and responses are plain values.
  {
    path: 'core/gateway',
    mayImport: [...PURE, 'core/config', 'core/files', 'core/store/file-lock.ts'],
  },
  { path: 'core/schedule', mayImport: [...PURE], withoutNode: true },
  { path: 'core/scheduler', mayImport: [...PURE, 'core/schedule', 'core/library', 'core/hosts'] },
  // The engine as a service of the system: for the command line and the desktop app.
  { path: 'core/service', mayImport: [...PURE, 'core/config', 'core/files', 'core/process'] },
  { path: 'core/secrets', mayImport: [...PURE] },
  { path: 'core/mail', mayImport: [...PURE] },
  // Webhooks, sent and received: catalog, signatures, deliveries, triggers. Its events are data beside the code.
  {
    path: 'core/webhooks',
    mayImport: [
      ...PURE,
      'core/config',
      'core/files',
      'core/hosts/service-leases.ts',
      // The one language for expressions that there is.
      'core/executors/actions/expressions/evaluate.ts',
    ],
  },
  { path: 'core/telemetry', mayImport: [...PURE] },
  {
    path: 'core/executors',
    mayImport: [
      ...PURE,
      'core/process',
      'core/threads',
      'core/mail',
      'core/secrets',
      // What a database is; they are handed one.
      'core/gateway/database/database.ts',
      'core/gateway/database/script/split-script.ts',
    ],
  },
  {
    path: 'core/run',
    mayImport: [
      ...PURE,
      // What of a step leaves the machine, and where its files are.
      'core/distributed/remote-task.ts',
      'core/distributed/files-port.ts',
      'core/distributed/worker/task/task-files.ts',
      'core/executors',
      'core/loading',
      'core/process',
      'core/threads',
      'core/secrets',
      'core/mail',
      'core/telemetry',
      'core/hosts',
    ],
  },
  {
    path: 'core/api',
    mayImport: [
      ...PURE,
      'core/run',
      'core/queue',
      'core/hosts',
      'core/library',
      'core/loading',
      'core/logs',
      'core/schedule',
      'core/scheduler',
      'core/monitor',
      'core/config',
      'core/auth',
      'core/metrics',
      'core/audit',
      'core/webhooks',
      'core/quotes',
      'core/gateway',
      'core/distributed/ports.ts',
      'core/distributed/files-port.ts',
    ],
  },
  {
    path: 'core/http',
    mayImport: [
      ...PURE,
      'core/api',
      'core/auth',
      'core/config',
      'core/metrics',
      'core/webhooks',
      'core/gateway/service',
    ],
  },
  {
    // A host, like main: it starts the engine and may put the server in front of it.
    path: 'core/cli',
    mayImport: [
      ...PURE,
      'core/import',
      'core/config',
      'core/library',
      'core/maintenance',
      'core/service',
      'core/quotes',
      'core/gateway',
      'core/client/client.ts',
      'core/client/send.ts',
      'core/auth/auth-paths.ts',
      'core/auth/sessions',
      'core/api/engine-host.ts',
      'core/api/guards/checked-api.ts',
      // The tables of a server's database, which may be empty still.
      'core/store/open-store.ts',
      'core/distributed/coordinator/coordinator.ts',
      'core/distributed/coordinator/tls/coordinator-tls.ts',
      'core/distributed/files/open-task-files.ts',
      'core/distributed/store/open-dispatch.ts',
      'core/distributed/worker/open-worker.ts',
      'core/http/server.ts',
      'core/http/server-settings.ts',
      'core/http/health-server.ts',
      'core/engine.ts',
      'core/wiring/open-dry-runs.ts',
      'core/process/arm-fail-points.ts',
      'core/process/watchdog/watchdog.ts',
      'core/process/detached.ts',
      'core/process/supervisor/start-supervisor.ts',
      'core/run/values/dotenv.ts',
      'core/system-clock.ts',
    ],
  },
  {
    // For scripts, the window in a browser and the command line alike.
    path: 'core/client',
    mayImport: ['core/base', 'core/model', 'core/contract', 'core/system-clock.ts'],
    withoutNode: true,
  },
  { path: 'core/system-clock.ts', mayImport: ['core/base'] },
  {
    // Parts of what `core/engine.ts` wires, each a file of its own.
    path: 'core/wiring',
    mayImport: [
      ...PURE,
      'core/config',
      'core/process',
      'core/hosts',
      'core/store',
      'core/library',
      'core/logs',
      'core/schedule',
      'core/scheduler',
      'core/executors',
      'core/secrets',
      'core/run',
      'core/monitor',
      'core/queue',
      'core/auth',
      'core/metrics',
      'core/webhooks',
      'core/gateway',
      'core/distributed',
      'core/api',
      'core/http',
      'core/system-clock.ts',
    ],
  },
  {
    path: 'core/engine.ts',
    mayImport: [
      ...PURE,
      'core/audit',
      'core/config',
      'core/process',
      'core/hosts',
      'core/store',
      'core/maintenance',
      'core/wiring',
      'core/library',
      'core/logs',
      'core/schedule',
      'core/scheduler',
      'core/executors',
      'core/secrets',
      'core/run',
      'core/telemetry',
      'core/queue',
      'core/auth',
      'core/metrics',
      'core/webhooks',
      'core/api',
      'core/http',
      'core/system-clock.ts',
    ],
  },
  {
    path: 'core/index.ts',
    mayImport: [
      ...PURE,
      'core/config',
      'core/api',
      'core/service',
      'core/process/watchdog/watchdog.ts',
      'core/secrets/keychain.ts',
      'core/engine.ts',
      'core/system-clock.ts',
    ],
  },
  {
    path: 'main',
    mayImport: [
      'core/index.ts',
      'core/contract',
      'core/base',
      'core/files',
      // What its first file needs, which must not load the engine.
      'core/config/home.ts',
      'core/config/interrupted-restore.ts',
      'core/cli/loading/compile-cache.ts',
    ],
  },
  { path: 'preload', mayImport: ['core/contract'] },
  {
    path: 'renderer',
    mayImport: [...PURE, 'core/schedule', 'core/edit', 'core/import', 'core/client/client.ts'],
    withoutNode: true,
  },
  { path: 'scripts', mayImport: [...PURE] },
  { path: 'test', mayImport: ['core', 'main', 'preload', 'renderer', 'scripts', 'resources', 'docs'] },
];
