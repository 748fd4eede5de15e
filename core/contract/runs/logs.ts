import Type, { type Static } from 'typebox';
import { logCharsets } from '../../model/workflow/log-charset.ts';
import { defineOperation, defineStream } from '../operation.ts';
import { attemptAddress, DagName, literals, RunId, Timestamp } from './run-views.ts';

/** Which log: a step's attempt and stream. */
export const stepLogAddress = {
  ...attemptAddress,
  /** That of one item of a step with `parallel`; the attempt's own log when absent. */
  item: Type.Optional(Type.Integer({ minimum: 1 })),
  stream: Type.Optional(literals(['stdout', 'stderr'])),
};

/** How bytes become text. */
const encoding = {
  charset: Type.Optional(
    literals(logCharsets, {
      description: 'Encoding of bytes that are not UTF-8. Default: from the configuration or locale.',
    }),
  ),
};

/** How far a log reaches at the moment. */
export const LogExtent = Type.Object({
  /** Bytes. */
  size: Type.Integer(),
  /** Lines, an unfinished last one included. */
  totalLines: Type.Integer(),
  /**
   * Present while the lines of a big log are still being counted: `totalLines`, and line numbers
   * counted from the end, are estimates then. Bytes and texts are never.
   */
  estimated: Type.Optional(Type.Literal(true)),
  /** Present when it does not look like text: there is a zero byte among the first 8 KiB. */
  binary: Type.Optional(Type.Literal(true)),
  /** Whether nothing more will be written. */
  complete: Type.Boolean(),
});
export type LogExtent = Static<typeof LogExtent>;

/** Which lines of a log. */
export const logRange = {
  /** 0-based first line; negative counts from the end. */
  from: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
};

/** Lines of a log, and how far it reaches. */
export const LogLines = Type.Object({
  ...LogExtent.properties,
  /** 0-based number of the first line returned. */
  from: Type.Integer(),
  /** Fewer than asked for when they hold over 4 MiB. Without line ends; invalid UTF-8 shows as U+FFFD; a line over 64 KiB is cut and ends with `…`. */
  lines: Type.Array(Type.String()),
});

/** Where in a log a stream of its text begins. */
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

/** Never "the newest": that may be another one when the stream is resumed. */
const StreamedAttempt = Type.Integer({ minimum: 1, description: 'Attempt number, from 1' });

/** What to look for in a log. */
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

/** What a search has found in a part of a log; the parts come in order and leave nothing out. */
export const LogFound = Type.Object({
  from: Type.Integer({ description: 'First line of the searched part, from 0' }),
  to: Type.Integer({ description: 'Line after the searched part' }),
  offset: Type.Integer({ description: 'Byte after the searched part' }),
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
export type LogFound = Static<typeof LogFound>;

/** Lines of a log as they are written, and where in it they stand. */
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
      ...stepLogAddress,
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
      ...stepLogAddress,
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
      ...attemptAddress,
      item: stepLogAddress.item,
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: '`next` of the previous response. Default: from the beginning.',
        }),
      ),
    }),
    output: Type.Object({
      startedAt: Timestamp,
      /** Absent while it goes on. */
      finishedAt: Type.Optional(Timestamp),
      complete: Type.Boolean(),
      /**
       * Moments, in order, at which the output was seen to have grown: every 0.2 s, every second after a silence, later
       * every 20,000th of the time the attempt has run. None for an attempt that was over before the first.
       */
      at: Type.Array(Type.Integer({ description: 'Milliseconds since 1970-01-01 UTC' })),
      /** Lines of stdout that were finished by then. */
      stdout: Type.Array(Type.Integer()),
      /** Lines of stderr that were finished by then. */
      stderr: Type.Array(Type.Integer()),
      /** To ask with for those that come. */
      next: Type.Integer(),
      /** Whether there are more at once. */
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
    input: Type.Object(stepLogAddress),
    item: LogExtent,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'logs.search': defineStream({
    summary: 'Search a whole step log and stream the results',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/search',
    input: Type.Object({ ...stepLogAddress, ...encoding, ...logQuery }),
    item: LogFound,
    errors: ['not_found', 'too_many_requests'],
    role: 'viewer',
  }),
  'logs.followText': defineStream({
    summary: 'Stream the lines of a step log until it is complete',
    path: '/dag-runs/{name}/{dagRunId}/steps/{step}/log/stream',
    input: Type.Object({ ...stepLogAddress, attempt: StreamedAttempt, ...encoding, ...textStart }),
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
