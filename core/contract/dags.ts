import Type, { type Static, type TSchema } from 'typebox';
import { fileNamePattern, folderPattern, hashPattern } from '../base/ids.ts';
import { Diagnostic } from '../model/diagnostic.ts';
import { ParamForm } from '../model/param-form.ts';
import { Schedule, Workflow } from '../model/workflow.ts';
import { defineOperation } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import {
  dagNamed,
  DagName,
  DefaultWorkingDir,
  literals,
  MissedView,
  RunId,
  RunRefView,
  RunStatusView,
  RunSummaryView,
  Timestamp,
} from './run-views.ts';

/** Errors when a run is started from a file or text. */
export const startErrors = [
  'not_found',
  'invalid_spec',
  'already_exists',
  'max_run_reached',
  'still_running',
  'queue_closed',
  'no_worker',
] as const;

const dagSummaryFields = {
  /** File name in the workflow folder, without its extension; used in the paths below. */
  fileName: Type.String(),
  name: Type.String(),
  folder: Type.Optional(
    Type.String({
      description:
        'Folder of the file relative to the workflow folder, separated by `/`; absent for that itself',
    }),
  ),
  hash: Type.Optional(
    Type.String({
      pattern: hashPattern,
      description: 'SHA-256 of the source, in hexadecimal; absent for an unreadable file',
    }),
  ),
  ignoredFiles: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Other files with the same name, which are ignored, relative to the workflow folder',
    }),
  ),
  group: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  tags: Type.Array(Type.String()),
  schedule: Schedule,
  /** Next scheduled start; absent while the schedule is suspended. */
  nextRun: Type.Optional(Timestamp),
  /** Its schedule is suspended. */
  suspended: Type.Boolean(),
  stepCount: Type.Integer(),
  /** Whether it can be started: neither its file nor the base configuration has errors. */
  valid: Type.Boolean(),
  problem: Type.Optional(
    Type.Object(
      {
        message: Type.String(),
        line: Type.Integer({ description: 'Line number, from 1' }),
        base: Type.Optional(
          Type.String({ description: 'Path of the base configuration, if it contains the error' }),
        ),
        more: Type.Integer({ description: 'Number of further errors' }),
      },
      { description: 'First error that prevents the workflow from running' },
    ),
  ),
  latestRun: Type.Optional(RunSummaryView),
  missed: Type.Optional(
    Type.Array(MissedView, { description: 'Expectations that are missed now, oldest first' }),
  ),
} satisfies Record<string, TSchema>;

/** A workflow in the list, including invalid ones. */
export const DagSummaryView = Type.Object(dagSummaryFields);
export type DagSummaryView = Static<typeof DagSummaryView>;

/** A workflow file with all details. */
export const DagDetailView = Type.Object({
  ...dagSummaryFields,
  /** Absolute path of the file. */
  file: Type.String(),
  spec: Type.String(),
  diagnostics: Type.Array(Diagnostic),
  /** Absent if the file has errors. */
  workflow: Type.Optional(Workflow),
  /** The parameters for a form, with the schema resolved. Absent if the file has errors. */
  paramForm: Type.Optional(ParamForm),
  /** The other documents of the file. */
  localDags: Type.Array(Workflow),
});
export type DagDetailView = Static<typeof DagDetailView>;

export const FileName = Type.String({
  pattern: fileNamePattern,
  description: 'Workflow file name, without extension',
});

/** A folder below the workflow folder. */
export const FolderPath = Type.String({
  pattern: folderPattern,
  maxLength: 200,
  description: 'Folder relative to the workflow folder, separated by `/`; empty for the workflow folder',
});

/** For a text that has not been saved. */
export const SourceFileName = Type.Optional(
  Type.String({
    pattern: fileNamePattern,
    description:
      'Workflow file that the source belongs to. Relative paths, dotenv files and sub-workflows are resolved from this file, which can be missing.',
  }),
);

export const dagOperations = {
  'dags.list': defineOperation({
    summary: 'List the workflows of the home',
    method: 'GET',
    path: '/dags',
    input: Type.Object({
      name: Type.Optional(dagNamed('Filter by text in the workflow or file name')),
      tags: Type.Optional(
        Type.Array(Type.String(), { maxItems: 50, description: 'Filter by tags (all must match)' }),
      ),
      group: Type.Optional(Type.String()),
      status: Type.Optional(Type.Array(RunStatusView, { description: 'Filter by status of the latest run' })),
      sort: Type.Optional(
        literals(['name', 'nextRun'], {
          description: '`nextRun`: earliest next run first, unscheduled last',
        }),
      ),
      order: Type.Optional(
        literals(['asc', 'desc'], {
          description: '`desc` reverses the order. Unscheduled workflows stay last.',
        }),
      ),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({
      dags: Type.Array(DagSummaryView),
      total: Type.Integer({ description: 'Total number on all pages' }),
      nextCursor: NextCursor,
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'dags.get': defineOperation({
    summary: 'Get a workflow with its source, steps and errors',
    method: 'GET',
    path: '/dags/{fileName}',
    input: Type.Object({ fileName: FileName }),
    output: DagDetailView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.start': defineOperation({
    summary: 'Start a run of a workflow',
    method: 'POST',
    path: '/dags/{fileName}/start',
    input: Type.Object({
      fileName: FileName,
      /** As after `--` on the command line: `KEY=value` and positional words, with optional quotes. */
      params: Type.Optional(Type.String()),
      dagRunId: Type.Optional(RunId),
      /** Overrides the name of the run. */
      dagName: Type.Optional(DagName),
      /** Rejects the request while any run of the same name is active or queued. */
      singleton: Type.Optional(Type.Boolean()),
      defaultWorkingDir: Type.Optional(DefaultWorkingDir),
    }),
    output: RunRefView,
    errors: startErrors,
    role: 'operator',
    label: 'start a workflow',
    audit: 'resource',
  }),
  'dags.validate': defineOperation({
    summary: 'Validate a workflow without saving or running it',
    method: 'POST',
    path: '/dags/validate',
    input: Type.Object({
      spec: Type.String(),
      name: Type.Optional(dagNamed('File name for error messages')),
    }),
    output: Type.Object({
      valid: Type.Boolean(),
      /** One readable line each: `file:line:column: message`. */
      errors: Type.Array(Type.String()),
      diagnostics: Type.Array(Diagnostic),
      baseDiagnostics: Type.Array(Diagnostic, {
        description:
          'Errors and warnings of the base configuration. Errors here prevent all workflows from running.',
      }),
      dag: Type.Optional(Workflow),
    }),
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
  'dags.importCrontab': defineOperation({
    summary: 'Convert a crontab to workflows, without creating them',
    method: 'POST',
    path: '/dags/import-crontab',
    input: Type.Object({
      crontab: Type.String({ description: 'Text of the crontab' }),
      system: Type.Optional(
        Type.Boolean({ description: 'Whether lines have a user column. Default: detected.' }),
      ),
      group: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Group of the workflows. Default: crontab.',
        }),
      ),
      spread: Type.Optional(
        Type.Boolean({ description: 'Move jobs that start in the same minute to successive minutes' }),
      ),
    }),
    output: Type.Object({
      workflows: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Workflow name' }),
          spec: Type.String({ description: 'Source for `dags.create`' }),
          notes: Type.Array(Type.String(), { description: 'Differences from cron' }),
          line: Type.Integer({ description: 'Line in the crontab, from 1' }),
          mailTo: Type.Optional(Type.Array(Type.String(), { description: 'Addresses that cron mailed' })),
        }),
        { description: 'One workflow per job' },
      ),
      notes: Type.Array(Type.String(), { description: 'Skipped lines' }),
      collisions: Type.Array(Type.String(), { description: 'Jobs that start in the same minute' }),
      editedCrontab: Type.String({ description: 'The crontab with the lines of the jobs commented out' }),
    }),
    errors: [],
    role: 'manager',
    label: 'import a crontab',
  }),
};

/** Maximum length of a search string. */
export const maxQueryLength = 200;

/** Lines of a workflow file around a match. */
export const SearchMatchView = Type.Object({
  lineNumber: Type.Integer({ description: 'Line number of the match, from 1' }),
  startLine: Type.Integer({ description: 'Line number of the first of `lines`, from 1' }),
  lines: Type.Array(Type.String(), {
    description:
      'Matching line with up to two lines of context on each side. Long lines are truncated with `…`.',
  }),
});
export type SearchMatchView = Static<typeof SearchMatchView>;

export const dagSearchOperations = {
  'dags.search': defineOperation({
    summary: 'Search the source of workflow files',
    method: 'GET',
    path: '/dags/search',
    input: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: maxQueryLength,
        description: 'Text to find (case-insensitive)',
      }),
      regex: Type.Optional(
        Type.Boolean({
          description:
            'Treat `q` as a regular expression (RE2 syntax, without backreferences and lookaround)',
        }),
      ),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({
      results: Type.Array(
        Type.Object({
          fileName: Type.String(),
          name: Type.String(),
          matches: Type.Array(SearchMatchView, { description: 'First 20 matches' }),
          more: Type.Boolean({ description: 'Whether the file has more matches' }),
        }),
      ),
      nextCursor: NextCursor,
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'dags.tags': defineOperation({
    summary: 'List the tags of all workflows, sorted by name',
    method: 'GET',
    path: '/dags/tags',
    input: Type.Object({}),
    output: Type.Object({ tags: Type.Array(Type.String()) }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};
