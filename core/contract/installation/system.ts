import Type from 'typebox';
import { healthCodes } from '../../base/health.ts';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

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
  }),
};
