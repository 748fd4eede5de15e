import Type from 'typebox';
import { healthCodes } from '../../base/health.ts';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

export const systemOperations = {
  'system.health': defineOperation({
    summary: 'Tells whether the engine works',
    method: 'GET',
    path: '/health',
    input: Type.Object({}),
    output: Type.Object({
      status: literals(['healthy', 'degraded', 'unhealthy']),
      problems: Type.Array(
        Type.Object({
          code: Type.Enum([...healthCodes, 'gateway_catalog_stale'], { description: 'What is wrong' }),
          message: Type.String({ description: 'What is wrong, in words, and what to do' }),
          since: Timestamp,
        }),
        { description: 'Why this host is degraded; empty while it is healthy' },
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
    summary: 'Facts about this installation',
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
      /** How the user interface is to look, as the configuration has it. */
      ui: Type.Object({
        /** Name of the installation, instead of the product's. */
        navbarTitle: Type.Optional(Type.String()),
        /** Colour beside it: `#` with three or six hexadecimal digits, or a name of CSS. */
        navbarColor: Type.Optional(Type.String()),
        /** Runs on a page of the list of runs. */
        maxDashboardPageLimit: Type.Integer(),
        /** How the list of workflows is ordered until somebody orders it otherwise. */
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
    summary: 'What the home takes up, and what is in its database',
    method: 'GET',
    path: '/system/storage',
    input: Type.Object({}),
    output: Type.Object({
      database: Type.Object({
        file: Type.String({
          description: "Absolute path on the engine's machine, or the address of its server",
        }),
        kind: literals(['sqlite', 'postgres']),
        release: Type.String({ description: 'Of SQLite, or of the server of PostgreSQL' }),
        answerMs: Type.Number({ description: 'How long it takes to answer when nothing is asked of it' }),
        /** Of a server: since when the connection to it has been there. */
        connectedAt: Type.Optional(Timestamp),
        bytes: Type.Integer(),
        logBytes: Type.Integer({ description: 'Of the write-ahead log beside it' }),
        freeBytes: Type.Integer({ description: 'Of the file that hold nothing; given back in idle minutes' }),
        version: Type.Integer({ description: 'Of its schema' }),
      }),
      rows: Type.Object({
        runs: Type.Integer({ description: 'Sub-runs included' }),
        audit: Type.Integer({ description: 'Entries of the audit trail' }),
      }),
      logsDir: Type.String(),
      disk: Type.Object({
        bytes: Type.Integer({ description: 'Of the disk that holds the home' }),
        freeBytes: Type.Integer(),
      }),
    }),
    errors: ['home_unusable', 'unavailable'],
    role: 'viewer',
  }),
  'system.check': defineOperation({
    summary: 'Looks through the whole database for damage; changes nothing',
    method: 'POST',
    path: '/system/check',
    input: Type.Object({}),
    output: Type.Object({
      findings: Type.Array(Type.String(), { description: 'One sentence each; none when it is sound' }),
      milliseconds: Type.Integer({ description: 'How long it took' }),
    }),
    errors: ['bad_request', 'home_unusable'],
    role: 'admin',
  }),
};
