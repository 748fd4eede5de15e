import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Cursor, Limit, NextCursor } from '../paging.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

const dateWords = 'ISO 8601 (UTC when it names no zone; a date is its beginning) or seconds since 1970';

/** Something that somebody has changed, or tried to. */
export const AuditEntryView = Type.Object({
  id: Type.Integer({ description: 'Grows in the order in which entries came' }),
  at: Timestamp,
  actor: Type.String({ description: 'A user name; `http`, `window` or `cli` where nobody has to log in' }),
  via: literals(['ipc', 'http', 'cli'], { description: '`ipc`: the window of the desktop app' }),
  address: Type.Optional(Type.String({ description: 'Where the call came from, over HTTP' })),
  operation: Type.String(),
  target: Type.String({
    description: 'What it was about, such as `etl/run-1`; never texts, parameters or passwords',
  }),
  outcome: Type.String({ description: '`done`, or the code of the refusal' }),
});
export type AuditEntryView = Static<typeof AuditEntryView>;

export const auditOperations = {
  'audit.list': defineOperation({
    summary: 'Lists who has changed what, newest first',
    method: 'GET',
    path: '/audit',
    input: Type.Object({
      actor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Only what this one has done' }),
      ),
      operation: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Only this operation, or those of a group: `queues` for all with `queues.`',
        }),
      ),
      target: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Only what has this in its target' }),
      ),
      outcome: Type.Optional(
        literals(['done', 'refused'], { description: 'Only what was done, or only what was refused' }),
      ),
      fromDate: Type.Optional(
        Type.String({ maxLength: 40, description: `Only then or later: ${dateWords}` }),
      ),
      toDate: Type.Optional(Type.String({ maxLength: 40, description: `Only before: ${dateWords}` })),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({
      entries: Type.Array(AuditEntryView, {
        description: 'May be fewer than `limit`, even none, on a page that is not the last',
      }),
      nextCursor: NextCursor,
      kept: Type.Object({
        days: Type.Integer({ description: 'Older entries are removed' }),
        entries: Type.Integer({ description: 'Of more than these the oldest are removed' }),
      }),
    }),
    errors: [],
    role: 'admin',
  }),
};
