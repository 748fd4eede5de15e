import Type, { type Static } from 'typebox';
import { healthCodes } from '../base/health.ts';
import { hostKinds } from '../model/run.ts';
import { defineOperation, defineStream } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import { literals, Timestamp, DagName, RunId } from './run-views.ts';

export const systemOperations = {
  'system.health': defineOperation({
    summary: 'Get the health of the engine',
    method: 'GET',
    path: '/health',
    input: Type.Object({}),
    output: Type.Object({
      status: literals(['healthy', 'degraded', 'unhealthy']),
      problems: Type.Array(
        Type.Object({
          code: Type.Enum([...healthCodes, 'gateway_catalog_stale'], { description: 'Problem type' }),
          message: Type.String({ description: 'Description of the problem and how to fix it' }),
          since: Timestamp,
        }),
        { description: 'Reasons that this host is degraded. Empty if healthy.' },
      ),
      version: Type.String(),
      /** Seconds. */
      uptime: Type.Number(),
      timestamp: Timestamp,
    }),
    errors: [],
    role: 'viewer',
  }),
  'system.info': defineOperation({
    summary: 'Get information about this installation',
    method: 'GET',
    path: '/system/info',
    input: Type.Object({}),
    output: Type.Object({
      version: Type.String(),
      /** Absolute paths on the engine's machine. */
      home: Type.String(),
      dagsDir: Type.String(),
      platform: Type.String(),
      activeRuns: Type.Integer(),
      /** Appearance of the user interface, from the configuration. */
      ui: Type.Object({
        /** Name of the installation, shown instead of the product name. */
        navbarTitle: Type.Optional(Type.String()),
        /** Color next to it: `#` with three or six hexadecimal digits, or a CSS color name. */
        navbarColor: Type.Optional(Type.String()),
        /** Page size of the list of runs. */
        maxDashboardPageLimit: Type.Integer(),
        /** Default order of the list of workflows. */
        dags: Type.Object({
          sortField: literals(['name', 'nextRun', 'latestRun']),
          sortOrder: literals(['asc', 'desc']),
        }),
      }),
    }),
    errors: [],
    role: 'viewer',
  }),
  'system.storage': defineOperation({
    summary: 'Get disk usage and database statistics of the home',
    method: 'GET',
    path: '/system/storage',
    input: Type.Object({}),
    output: Type.Object({
      database: Type.Object({
        file: Type.String({
          description: 'Absolute path on the engine host, or URL of the database server',
        }),
        kind: literals(['sqlite', 'postgres']),
        release: Type.String({ description: 'Version of SQLite or of the PostgreSQL server' }),
        answerMs: Type.Number({ description: 'Response time of the idle database' }),
        /** For a server: when the connection to it was established. */
        connectedAt: Type.Optional(Timestamp),
        bytes: Type.Integer(),
        logBytes: Type.Integer({ description: 'Size of the write-ahead log' }),
        freeBytes: Type.Integer({ description: 'Unused space in the file, reclaimed when idle' }),
        version: Type.Integer({ description: 'Schema version' }),
      }),
      rows: Type.Object({
        runs: Type.Integer({ description: 'Number of runs, including sub-runs' }),
        audit: Type.Integer({ description: 'Number of audit log entries' }),
      }),
      logsDir: Type.String(),
      disk: Type.Object({
        bytes: Type.Integer({ description: 'Space on the disk of the home' }),
        freeBytes: Type.Integer(),
      }),
    }),
    errors: ['home_unusable', 'unavailable'],
    role: 'viewer',
  }),
  'system.check': defineOperation({
    summary: 'Check the whole database for damage, without changes',
    method: 'POST',
    path: '/system/check',
    input: Type.Object({}),
    output: Type.Object({
      findings: Type.Array(Type.String(), {
        description: 'Problems found, one sentence each. Empty if no damage is found.',
      }),
      milliseconds: Type.Integer({ description: 'Duration' }),
    }),
    errors: ['bad_request', 'home_unusable'],
    role: 'admin',
    label: 'check the database',
  }),
};

const Measured = Type.Optional(Type.Number());

/** A resource reading; values that are unavailable are absent. */
export const ReadingView = Type.Object({
  timestamp: Timestamp,
  /** Percent, as in `services.resourceHistory`. */
  cpu: Measured,
  memory: Measured,
  disk: Measured,
  load: Measured,
});
export type ReadingView = Static<typeof ReadingView>;

const topic = literals(
  ['dags', 'queues', 'approvals', 'hosts', 'schedulers', 'webhooks', 'workers', 'load'],
  {
    description:
      '`dags`: workflow files were created, changed or deleted, or what is late, long or missing has changed. `queues`: `queues.list` has changed. `approvals`: an approval request was created, answered or closed. `hosts`: `services.hosts` has changed. `schedulers`: `services.scheduler` has changed. `webhooks`: webhooks, receivers or deliveries have changed. `workers`: steps were offered to workers, claimed, finished or cancelled. `load`: new load data is available',
  },
);

/** Notifies that a topic has changed; for `load`, it contains the reading itself, except in the first item. */
export const SystemChangeView = Type.Object({ topic, reading: Type.Optional(ReadingView) });
export type SystemChangeView = Static<typeof SystemChangeView>;

export const systemChangeStreams = {
  'system.changes': defineStream({
    summary:
      'Stream notifications when workflow files, queues, approvals, hosts, schedulers, webhooks or workers change, or new load data is available. The first item is sent immediately',
    path: '/system-changes',
    input: Type.Object({ topic }),
    item: SystemChangeView,
    errors: ['monitoring_off', 'too_many_requests'],
    role: 'viewer',
  }),
};

/** A process that runs workflows of this home, or did recently. */
export const HostView = Type.Object({
  hostId: Type.String(),
  kind: literals(hostKinds),
  hostname: Type.String(),
  pid: Type.Integer(),
  version: Type.Optional(Type.String({ description: 'Release of the engine' })),
  load: Type.Optional(
    Type.Number({ description: 'Load of its machine’s processors in the last minute, 1 when all are busy' }),
  ),
  /** When it first executed a run. */
  startedAt: Timestamp,
  lastSeenAt: Timestamp,
  status: literals(['active', 'gone'], {
    description: '`gone`: known to have ended, so other hosts take over its runs',
  }),
  /** Why it has certainly ended, to follow its name. */
  reason: Type.Optional(Type.String()),
  activeRuns: Type.Integer({ description: 'Number of active runs of the host, including sub-runs' }),
});
export type HostView = Static<typeof HostView>;

export const serviceOperations = {
  'services.hosts': defineOperation({
    summary: 'List the processes that run workflows of this home',
    method: 'GET',
    path: '/services/hosts',
    input: Type.Object({}),
    output: Type.Object({ hosts: Type.Array(HostView) }),
    errors: [],
    role: 'viewer',
  }),
};

const Series = Type.Array(Type.Object({ timestamp: Timestamp, value: Type.Number() }));

export const resourceOperations = {
  'services.resourceHistory': defineOperation({
    summary: 'Get CPU, memory, disk and load of the machine over time',
    method: 'GET',
    path: '/services/resources/history',
    input: Type.Object({
      /** `30m`, `1h`, `1d`, or a number of seconds. Default: the last hour. */
      duration: Type.Optional(Type.String({ maxLength: 50 })),
      /** Maximum number of points per series, by default 1000; adjacent points are averaged if there are more. */
      points: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    }),
    output: Type.Object({
      /** Percent of all cores. In every series, times without readings have no points. */
      cpu: Series,
      /** Percent of memory that is not available to programs. */
      memory: Series,
      /** Percent of the disk that contains the home. */
      disk: Series,
      /** Load average of the last minute; empty on Windows. */
      load: Series,
      /** Interval of the readings in seconds. */
      intervalSec: Type.Number(),
      /** Totals that the percentages refer to. */
      machine: Type.Object({
        cores: Type.Integer(),
        memoryBytes: Type.Integer(),
        /** Absent until it is known. */
        diskBytes: Type.Optional(Type.Integer()),
      }),
    }),
    errors: ['monitoring_off'],
    role: 'viewer',
  }),
  'runs.usage': defineOperation({
    summary: 'Get CPU and memory of the processes of a run, including sub-runs',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/usage',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      /** Whether its processes are monitored now. */
      active: Type.Boolean(),
      /** The latest reading of an active run; absent until there is one. */
      now: Type.Optional(
        Type.Object({
          timestamp: Timestamp,
          /** Percent of all cores. */
          cpu: Type.Number(),
          /** Bytes. */
          memory: Type.Integer(),
          processes: Type.Integer(),
        }),
      ),
      /**
       * CPU time of the observed processes, without those that existed only between two readings. Absent if only the
       * peaks are stored.
       */
      cpuSeconds: Type.Optional(Type.Number()),
      /** The peaks are stored when a run ends, and deleted with the run. */
      peakCpu: Type.Number(),
      peakMemory: Type.Integer(),
      /** At most 120 for the whole run: mean of `cpu` and maximum of `memory` since the previous point. */
      points: Type.Array(Type.Object({ timestamp: Timestamp, cpu: Type.Number(), memory: Type.Integer() })),
    }),
    errors: ['not_found', 'monitoring_off'],
    role: 'viewer',
  }),
};

const dateFormats = 'ISO 8601 (default zone: UTC; a date means midnight) or Unix timestamp in seconds';

/** A change that a caller made or attempted. */
export const AuditEntryView = Type.Object({
  id: Type.Integer({ description: 'Increases with each entry' }),
  at: Timestamp,
  actor: Type.String({ description: 'Username, or `http`, `window` or `cli` if no login is required' }),
  via: literals(['ipc', 'http', 'cli'], { description: '`ipc`: the window of the desktop app' }),
  address: Type.Optional(Type.String({ description: 'Remote address of the HTTP client' })),
  operation: Type.String(),
  target: Type.String({
    description:
      'Target of the operation, such as `etl/run-1`. Never contains file content, parameters or passwords.',
  }),
  outcome: Type.String({ description: '`done`, or the error code' }),
});
export type AuditEntryView = Static<typeof AuditEntryView>;

export const auditOperations = {
  'audit.list': defineOperation({
    summary: 'List audit log entries, newest first',
    method: 'GET',
    path: '/audit',
    input: Type.Object({
      actor: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Filter by user' })),
      operation: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Filter by operation or group: `queues` matches all `queues.` operations',
        }),
      ),
      target: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Filter by text in the target' }),
      ),
      outcome: Type.Optional(
        literals(['done', 'refused'], { description: 'Filter by result: succeeded or rejected' }),
      ),
      fromDate: Type.Optional(
        Type.String({ maxLength: 40, description: `Entries at or after this time: ${dateFormats}` }),
      ),
      toDate: Type.Optional(
        Type.String({ maxLength: 40, description: `Entries before this time: ${dateFormats}` }),
      ),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({
      entries: Type.Array(AuditEntryView, {
        description: 'Can have fewer entries than `limit`, or none, before the last page',
      }),
      nextCursor: NextCursor,
      kept: Type.Object({
        days: Type.Integer({ description: 'Maximum age of entries. Older entries are deleted.' }),
        entries: Type.Integer({
          description: 'Maximum number of entries. The oldest entries are deleted first.',
        }),
      }),
    }),
    errors: [],
    role: 'admin',
    label: 'see the audit log',
  }),
};
