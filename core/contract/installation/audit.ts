import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Cursor, Limit, NextCursor } from '../paging.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

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
  }),
};
