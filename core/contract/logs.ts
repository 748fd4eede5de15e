import Type, { type Static, type TSchema } from 'typebox';
import { logCharsets } from '../model/workflow-rules.ts';
import type { RunEvent } from '../model/run-event.ts';
import { defineOperation, defineStream } from './operation.ts';
import { attemptPathFields, DagName, literals, RunId, Timestamp } from './run-views.ts';
import { FileName } from './dags.ts';

/** Identifies a log: attempt and stream of a step. */
export const stepLogPathFields = {
  ...attemptPathFields,
  /** The log of one item of a step with `parallel`. Default: the log of the attempt. */
  item: Type.Optional(Type.Integer({ minimum: 1 })),
  stream: Type.Optional(literals(['stdout', 'stderr'])),
};

/** How bytes are decoded. */
const encoding = {
  charset: Type.Optional(
    literals(logCharsets, {
      description: 'Encoding of bytes that are not UTF-8. Default: from the configuration or locale.',
    }),
  ),
};

/** The current size of a log. */
export const LogExtent = Type.Object({
  /** Size in bytes. */
  size: Type.Integer(),
  /** Number of lines, including an unfinished last line. */
  totalLines: Type.Integer(),
  /**
   * Present while the lines of a large log are being counted: `totalLines` and line numbers from the end are then
   * estimates. Bytes and text are always exact.
   */
  estimated: Type.Optional(Type.Literal(true)),
  /** Present if the log is probably not text: it has a zero byte in the first 8 KiB. */
  binary: Type.Optional(Type.Literal(true)),
  /** Whether the log is complete. */
  complete: Type.Boolean(),
});
export type LogExtent = Static<typeof LogExtent>;

/** A range of lines of a log. */
export const logRange = {
  /** 0-based first line; negative to count from the end. */
  from: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
};

/** Lines of a log and its size. */
export const LogLines = Type.Object({
  ...LogExtent.properties,
  /** 0-based number of the first line returned. */
  from: Type.Integer(),
  /**
   * Fewer than requested if they exceed 4 MiB. Without line breaks; invalid UTF-8 is replaced by U+FFFD; a line over
   * 64 KiB is truncated and ends with `…`.
   */
  lines: Type.Array(Type.String()),
});

/** Where a text stream of a log starts. */
const textStart = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Resume after this byte, the `id` of the last received item. Within a line, starts at the next line. Overrides `tail`.',
    }),
  ),
  tail: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Start with this many of the last lines (0 for none). Default: the first line.',
    }),
  ),
};

/** Required, because the newest attempt may be another one when the stream is resumed. */
const StreamedAttempt = Type.Integer({ minimum: 1, description: 'Attempt number, from 1' });

/** A search in a log. */
const logQuery = {
  query: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Text or regular expression to find in each line',
  }),
  regex: Type.Optional(
    Type.Boolean({ description: 'Whether the query is a regular expression (RE2 syntax)' }),
  ),
  matchCase: Type.Optional(Type.Boolean({ description: 'Whether the search is case-sensitive' })),
  from: Type.Optional(Type.Integer({ minimum: 0, description: 'First line to search, from 0' })),
  to: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Line to stop before. Default: end of the log.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of lines to return; further matches are only counted. Default: 1,000.',
    }),
  ),
};

/** The matches in a part of a log; the parts are in order and cover the whole log. */
export const LogMatches = Type.Object({
  from: Type.Integer({ description: 'First line of the searched range, from 0' }),
  to: Type.Integer({ description: 'Line after the searched range' }),
  offset: Type.Integer({ description: 'Byte after the searched range' }),
  size: Type.Integer({ description: 'Byte at which the search ends' }),
  count: Type.Integer({ description: 'Number of matching lines' }),
  hits: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'From 0' }),
      offset: Type.Integer({ description: 'Byte offset of the line' }),
      columns: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
        description:
          'Start and end of the first 32 matches in UTF-16 units, in the line as displayed (without colors and overwritten text)',
      }),
    }),
  ),
});
export type LogMatches = Static<typeof LogMatches>;

/** Lines of a log as they are written, with their position. */
export const LogText = Type.Object({
  id: Type.Integer({
    description:
      'Byte after the lines. Pass the last received value as `after` (or `Last-Event-ID`) to resume without gaps or repeats.',
  }),
  offset: Type.Integer({ description: 'Byte offset of the first line' }),
  lines: Type.Array(Type.String(), {
    description:
      'Whole lines, as in `logs.lines`, at most 64 KiB. A longer line is sent alone and truncated with `…`.',
  }),
});
export type LogText = Static<typeof LogText>;

export const logOperations = {
  'logs.run': defineOperation({
    summary: 'Read lines of the log of a run (engine messages)',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/log',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...logRange }),
    output: LogLines,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.lines': defineOperation({
    summary: 'Read lines of a step log',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log',
    input: Type.Object({
      ...stepLogPathFields,
      ...logRange,
      ...encoding,
    }),
    output: LogLines,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.bytes': defineOperation({
    summary: 'Read bytes of a step log',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/bytes',
    input: Type.Object({
      ...stepLogPathFields,
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
      length: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_048_576 })),
    }),
    output: Type.Object({
      size: Type.Integer(),
      complete: Type.Boolean(),
      offset: Type.Integer(),
      /** Base64. */
      data: Type.String(),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.times': defineOperation({
    summary: 'Get the write times of the lines of a step log',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/times',
    input: Type.Object({
      ...attemptPathFields,
      item: stepLogPathFields.item,
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: '`next` of the previous response. Default: from the beginning.',
        }),
      ),
    }),
    output: Type.Object({
      startedAt: Timestamp,
      /** Absent while it is running. */
      finishedAt: Type.Optional(Timestamp),
      complete: Type.Boolean(),
      /**
       * Times, in order, at which output was observed: every 0.2 s, every second after a pause, later every 20,000th
       * of the duration of the attempt. Empty for an attempt that ended before the first.
       */
      at: Type.Array(Type.Integer({ description: 'Milliseconds since 1970-01-01 UTC' })),
      /** Number of complete stdout lines at each time. */
      stdout: Type.Array(Type.Integer()),
      /** Number of complete stderr lines at each time. */
      stderr: Type.Array(Type.Integer()),
      /** Value for the next request. */
      next: Type.Integer(),
      /** Whether more are available now. */
      more: Type.Boolean(),
    }),
    errors: ['not_found'],
    role: 'viewer',
  }),
};

export const logStreams = {
  'logs.follow': defineStream({
    summary: 'Stream a notification each time a log grows. Read the lines with `logs.lines`',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/follow',
    input: Type.Object(stepLogPathFields),
    item: LogExtent,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.search': defineStream({
    summary: 'Search a whole step log and stream the results',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/search',
    input: Type.Object({ ...stepLogPathFields, ...encoding, ...logQuery }),
    item: LogMatches,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
  'logs.followText': defineStream({
    summary: 'Stream the lines of a step log until it is complete',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/stream',
    input: Type.Object({ ...stepLogPathFields, attempt: StreamedAttempt, ...encoding, ...textStart }),
    item: LogText,
    errors: ['not_found', 'conflict', 'too_many_requests'],
    role: 'viewer',
  }),
  'logs.followRun': defineStream({
    summary: 'Stream the lines of the log of a run until the run ends',
    path: '/dag-runs/{name}/{dagRunId}/log/stream',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...textStart }),
    item: LogText,
    errors: ['not_found', 'conflict', 'too_many_requests'],
    role: 'viewer',
  }),
};

/** A run event: the event's own fields (`core/model/run-event.ts`) and its run. */
export const EventView = Type.Object({
  /** Ascending; send the last received id as `after` (or `Last-Event-ID`) to resume without a gap. */
  id: Type.Integer({ description: 'Ascending. Resume after this ID to receive all events.' }),
  name: Type.String(),
  dagRunId: Type.String(),
  at: Timestamp,
  event: Type.Unsafe<RunEvent>({
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' } },
    additionalProperties: true,
  }),
});
export type EventView = Static<typeof EventView>;

const resumable = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Start after the event with this ID (0 for the first event). Default: new events only.',
    }),
  ),
} satisfies Record<string, TSchema>;

export const eventStreams = {
  'events.follow': defineStream({
    summary: 'Stream run events, for all runs or filtered by name or ID',
    path: '/events',
    input: Type.Object({ name: Type.Optional(DagName), dagRunId: Type.Optional(RunId), ...resumable }),
    item: EventView,
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
  'events.followDag': defineStream({
    summary: 'Stream the events of the runs of a workflow',
    path: '/dags/{fileName}/events',
    input: Type.Object({ fileName: FileName, ...resumable }),
    item: EventView,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
  'events.followRun': defineStream({
    summary: 'Stream the events of a run until it ends (`latest` for the newest run)',
    path: '/dag-runs/{name}/{dagRunId}/events',
    input: Type.Object({ name: DagName, dagRunId: RunId, ...resumable }),
    item: EventView,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
};
