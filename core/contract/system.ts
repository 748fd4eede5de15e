import Type from 'typebox';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

export const systemOperations = {
  'system.health': defineOperation({
    summary: 'Tells whether the engine works',
    method: 'GET',
    path: '/health',
    input: Type.Object({}),
    output: Type.Object({
      status: literals(['healthy', 'unhealthy']),
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
};
