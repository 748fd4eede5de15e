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
    }),
    errors: [],
    role: 'viewer',
  }),
};
