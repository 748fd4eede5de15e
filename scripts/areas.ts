/**
 * The table of allowed imports; see `architecture.ts` for its rules. ARCHITECTURE.md has a diagram of it. A new
 * directory needs a row here before it may import anything.
 */

/** An area of the source tree and its allowed imports. Paths are relative to the repository root. */
export interface Area {
  /** A directory, or a single file if it ends in `.ts`. The longest match wins. */
  readonly path: string;
  /** Other areas or single files that it may import. */
  readonly mayImport: readonly string[];
  /** True if Node's own modules and packages for Node are not allowed. */
  readonly withoutNode?: true;
}

/** Rules without I/O, usable in the engine, the window and tests. */
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
      // References that a shell expands; validation warns about them.
      'core/spec/shell/scan-shell-text.ts',
      'core/spec/shell/scan-shell-text.ts',
    ],
    withoutNode: true,
  },
  // Edits of workflow files as text splices, for the window and possibly other clients.
  {
    path: 'core/edit',
    mayImport: [
      'core/spec',
      'core/plan',
      'core/model',
      'core/base',
      // What a shell expands, without I/O: an id is found where the engine would find it.
      'core/spec/shell/scan-shell-text.ts',
      'core/spec/shell/scan-shell-text.ts',
    ],
    withoutNode: true,
  },
  // Converts scripts, crontabs and makefiles to workflows: text in, text out.
  { path: 'core/import', mayImport: ['core/base'], withoutNode: true },
  { path: 'core/config', mayImport: [...PURE] },
  // Durable file writes.
  { path: 'core/files', mayImport: [] },
  { path: 'core/process', mayImport: [...PURE] },
  // Threads with a deadline.
  { path: 'core/threads', mayImport: ['core/base'] },
  // Loads workflow files, large ones in a thread.
  { path: 'core/loading', mayImport: [...PURE, 'core/threads', 'core/base/system-clock.ts'] },
  // A separate program next to the engine.
  {
    path: 'core/process/supervisor/program.ts',
    mayImport: [...PURE, 'core/process', 'core/base/system-clock.ts'],
  },
  // A separate thread next to the engine.
  {
    path: 'core/process/watchdog/thread.ts',
    mayImport: [...PURE, 'core/process', 'core/base/system-clock.ts'],
  },
  { path: 'core/hosts', mayImport: [...PURE, 'core/process'] },
  {
    path: 'core/store',
    mayImport: [
      ...PURE,
      'core/store/types/runs.ts',
      'core/store/types/approvals.ts',
      'core/store/types/hosts.ts',
      'core/store/types/schedules.ts',
      'core/store/types/queues.ts',
      'core/store/types/maintenance.ts',
      'core/home/library/spec-versions.ts',
      'core/store/types/audit.ts',
      'core/store/types/webhooks.ts',
      'core/store/types/receivers.ts',
      // Rules without I/O: webhook events of a run are stored together with its state.
      'core/webhooks/sources',
      // How a PostgreSQL URL is parsed.
      'core/store/sql/connection-settings.ts',
    ],
  },
  // A separate thread next to the engine.
  {
    path: 'core/store/postgres/session-thread.ts',
    mayImport: [...PURE, 'core/store', 'core/base/system-clock.ts'],
  },
  // Distributed runs: hosts offer tasks, coordinators dispatch them, workers run them.
  {
    path: 'core/distributed',
    mayImport: [
      ...PURE,
      'core/store',
      // How a server address is parsed.
      'core/store/sql/connection-settings.ts',
      'core/config',
      'core/files',
      'core/process',
      'core/executors',
      'core/secrets',
      // Shared by workers and hosts: how values are expanded and outputs captured.
      'core/run/values',
      // How the directory of a run is named.
      'core/store/run-logs.ts',
      // Requests of hosts.
      'core/run/remote-ports.ts',
      'core/run/run-input.ts',
      // Shared by the worker server and the API server.
      'core/http/http-error.ts',
      'core/http/listen.ts',
      'core/http/json-bodies.ts',
      'core/http/listen.ts',
      'core/http/origin-guard.ts',
      'core/http/http-error.ts',
      'core/http/origin-guard.ts',
      'core/http/json-bodies.ts',
      'core/http/tls',
    ],
  },
  // The audit log, for every access path.
  { path: 'core/audit', mayImport: [...PURE] },
  {
    // Maintenance without an engine: removing runs, backups, migration.
    path: 'core/maintenance',
    mayImport: [
      ...PURE,
      'core/config',
      'core/files',
      'core/store',
      'core/store/types/runs.ts',
      'core/store/run-logs.ts',
      'core/store/run-logs.ts',
    ],
  },
  { path: 'core/monitor', mayImport: [...PURE, 'core/process'] },
  { path: 'core/queue', mayImport: [...PURE, 'core/config', 'core/hosts', 'core/run'] },
  // Prometheus metrics; opened by hosts that run a server.
  { path: 'core/metrics', mayImport: [...PURE, 'core/run', 'core/queue', 'core/scheduler'] },
  { path: 'core/library', mayImport: [...PURE, 'core/config', 'core/files', 'core/loading', 'core/threads'] },
  // Users, tokens and sessions: rules and files, no HTTP.
  { path: 'core/auth', mayImport: [...PURE, 'core/config', 'core/files', 'core/store/file-lock.ts'] },
  { path: 'core/logs', mayImport: [...PURE, 'core/config'] },
  // Quotes about the Dispatcher: data, and whom they are about.
  { path: 'core/quotes', mayImport: [...PURE] },
  // The database gateway: PostgreSQL over REST. It has no HTTP; requests and responses are plain values.
  {
    path: 'core/gateway',
    mayImport: [...PURE, 'core/config', 'core/files', 'core/store/file-lock.ts'],
  },
  { path: 'core/schedule', mayImport: [...PURE], withoutNode: true },
  { path: 'core/scheduler', mayImport: [...PURE, 'core/schedule', 'core/library', 'core/hosts'] },
  // The engine as a system service, for the command line and the desktop app.
  { path: 'core/service', mayImport: [...PURE, 'core/config', 'core/files', 'core/process'] },
  { path: 'core/secrets', mayImport: [...PURE] },
  { path: 'core/mail', mayImport: [...PURE] },
  // Outgoing and incoming webhooks: catalog, signatures, deliveries, triggers. Its events are data next to the
  // code.
  {
    path: 'core/webhooks',
    mayImport: [
      ...PURE,
      'core/config',
      'core/files',
      'core/run/hosts/service-leases.ts',
      // The only expression language.
      'core/executors/actions/evaluate.ts',
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
      // The database interface; they receive an instance.
      'core/store/sql/database.ts',
      'core/store/sql/split-script.ts',
    ],
  },
  {
    path: 'core/run',
    mayImport: [
      ...PURE,
      // Data that a remote step sends to a worker, and where its files are.
      'core/run/remote/remote-task.ts',
      'core/run/remote/task-files.ts',
      'core/run/remote/task-files.ts',
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
      'core/store/types/dispatch.ts',
      'core/run/remote/task-files.ts',
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
    // A host, like main: it starts the engine and can start the server.
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
      'core/contract/client/client.ts',
      'core/contract/client/send.ts',
      'core/api/auth/auth-paths.ts',
      'core/auth/sessions',
      'core/api/engine-host.ts',
      'core/api/checked-api.ts',
      // Tables of a server's database, which may still be empty.
      'core/store/open-store.ts',
      'core/distributed/coordinator/coordinator.ts',
      'core/distributed/coordinator/coordinator-tls.ts',
      'core/distributed/files/open-task-files.ts',
      'core/distributed/store/open-dispatch.ts',
      'core/distributed/worker/open-worker.ts',
      'core/http/server.ts',
      'core/http/server-settings.ts',
      'core/http/health-server.ts',
      'core/engine.ts',
      'core/open-dry-runs.ts',
      'core/process/arm-fail-points.ts',
      'core/process/watchdog/watchdog.ts',
      'core/process/detached.ts',
      'core/process/supervisor/start-supervisor.ts',
      'core/run/values/dotenv.ts',
      'core/base/system-clock.ts',
    ],
  },
  {
    // For scripts, the browser window and the command line.
    path: 'core/client',
    mayImport: ['core/base', 'core/model', 'core/contract', 'core/base/system-clock.ts'],
    withoutNode: true,
  },
  { path: 'core/base/system-clock.ts', mayImport: ['core/base'] },
  {
    // Parts of the wiring in `core/engine.ts`, each in its own file.
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
      'core/base/system-clock.ts',
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
      'core/base/system-clock.ts',
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
      'core/process/secrets/provider.ts',
      'core/engine.ts',
      'core/base/system-clock.ts',
    ],
  },
  {
    path: 'main',
    mayImport: [
      'core/index.ts',
      'core/contract',
      'core/base',
      'core/files',
      // Needed by its first file, which must not load the engine.
      'core/home/config/home.ts',
      'core/home/config/interrupted-restore.ts',
      'core/cli/compile-cache.ts',
    ],
  },
  { path: 'preload', mayImport: ['core/contract'] },
  {
    path: 'renderer',
    mayImport: [...PURE, 'core/schedule', 'core/edit', 'core/import', 'core/contract/client/client.ts'],
    withoutNode: true,
  },
  { path: 'scripts', mayImport: [...PURE] },
  { path: 'test', mayImport: ['core', 'main', 'preload', 'renderer', 'scripts', 'resources', 'docs'] },
];
