import Type, { type Static, type TSchema } from 'typebox';
import { hashPattern, runIdPattern } from '../base/ids.ts';
import { Diagnostic } from '../model/diagnostic.ts';
import { Workflow } from '../model/workflow.ts';
import { FileName, FolderPath } from './dags.ts';
import { defineOperation, defineStream } from './operation.ts';
import { Cursor, Limit, NextCursor } from './paging.ts';
import { DagName, literals, Timestamp } from './run-views.ts';

/** Id of a draft of a workflow without a file; chosen by the client that creates it. */
export const DraftId = Type.String({
  pattern: runIdPattern,
  description: 'ID of a draft without a file, chosen by the client: at most 64 characters, A-Za-z0-9_-',
});

export const hash = (description: string) => Type.String({ pattern: hashPattern, description });

const SpecHash = hash('SHA-256 of the UTF-8 source, in hexadecimal');

/** The text of a workflow file and its diagnostics. */
export const DagSpecView = Type.Object({
  fileName: Type.String(),
  spec: Type.String(),
  hash: SpecHash,
  errors: Type.Array(Type.String(), { description: 'One readable line each: `file:line:column: message`' }),
  diagnostics: Type.Array(Diagnostic),
  dag: Type.Optional(Workflow),
});
export type DagSpecView = Static<typeof DagSpecView>;

/** For a version that is restored. */
const RestoredFrom = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'Version ID of the source, for the file history',
  }),
);

/** For a text that is not finished yet. */
const AllowInvalid = Type.Optional(
  Type.Boolean({
    description: 'Save a source with errors, too. The workflow cannot run until the errors are fixed.',
  }),
);

const DraftRevision = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'Revision of the draft to delete after saving. Later revisions are kept.',
  }),
);

export const dagFileOperations = {
  'dags.create': defineOperation({
    summary: 'Create a workflow file. A source with errors is rejected unless allowed',
    method: 'POST',
    path: '/dags',
    status: 201,
    input: Type.Object({
      name: DagName,
      folder: Type.Optional(FolderPath),
      spec: Type.Optional(
        Type.String({ description: 'Source of the file. Default: a workflow with a single step.' }),
      ),
      allowInvalid: AllowInvalid,
      restoredFrom: RestoredFrom,
      draftId: Type.Optional(DraftId),
      draftRevision: DraftRevision,
    }),
    output: Type.Object({ name: Type.String(), fileName: Type.String(), hash: SpecHash }),
    errors: ['invalid_spec', 'already_exists', 'not_found', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'create a workflow file',
    audit: 'resource',
  }),
  'dags.spec': defineOperation({
    summary: 'Get the source of a workflow file',
    method: 'GET',
    path: '/dags/{fileName}/spec',
    input: Type.Object({ fileName: FileName }),
    output: DagSpecView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.updateSpec': defineOperation({
    summary: 'Replace the source of a workflow file. A source with errors is rejected unless allowed',
    method: 'PUT',
    path: '/dags/{fileName}/spec',
    input: Type.Object({
      fileName: FileName,
      spec: Type.String({ description: 'Complete new source, stored unchanged' }),
      baseHash: Type.Optional(hash('`hash` of the edited source. Fails if the file has changed.')),
      allowInvalid: AllowInvalid,
      restoredFrom: RestoredFrom,
      draftRevision: DraftRevision,
    }),
    output: DagSpecView,
    errors: ['not_found', 'invalid_spec', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'change a workflow file',
    audit: 'resource',
  }),
};

/** A change of a workflow file, by any program. */
export const DagChangeView = Type.Object({
  fileName: Type.String(),
  kind: literals(['changed', 'created', 'removed', 'renamed']),
  /** Hash of the current text; absent for a deleted file. */
  hash: Type.Optional(SpecHash),
  /**
   * For `renamed`: the previous name. A rename by another program is reported as one `removed` and one `created` file.
   */
  from: Type.Optional(Type.String()),
});
export type DagChangeView = Static<typeof DagChangeView>;

export const dagChangeStreams = {
  'dags.changes': defineStream({
    summary: 'Stream changes of workflow files, for a single file or all files',
    path: '/dag-changes',
    input: Type.Object({ fileName: Type.Optional(FileName) }),
    item: DagChangeView,
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
};

const versionFields = {
  /** Increases with time; unique across files. */
  id: Type.Integer(),
  kind: literals(['created', 'saved', 'restored', 'found', 'renamed', 'unsaved', 'deleted'], {
    description:
      'Origin of the version. `found`: changed by another program, detected at this time. `unsaved`: a draft whose file was deleted. ' +
      '`renamed`, `deleted`: the source at that time',
  }),
  hash: SpecHash,
  /** Size of the text in bytes of UTF-8. */
  bytes: Type.Integer(),
  at: Timestamp,
  /** Author; absent for `found`. */
  by: Type.Optional(Type.String()),
  /** For `renamed`: the previous name. */
  renamedFrom: Type.Optional(Type.String()),
  /** For `restored`: the version that was restored. */
  restoredFrom: Type.Optional(Type.Integer()),
} satisfies Record<string, TSchema>;

/** A version of a workflow file. */
export const VersionView = Type.Object(versionFields);
export type VersionView = Static<typeof VersionView>;

/** A workflow whose file was deleted. */
export const DeletedDagView = Type.Object({
  fileName: Type.String(),
  /** The last stored version; of kind `deleted` if it was deleted through this engine. */
  version: VersionView,
});
export type DeletedDagView = Static<typeof DeletedDagView>;

export const versionOperations = {
  'versions.list': defineOperation({
    summary: 'List the versions of a workflow file, newest first, including deleted files',
    method: 'GET',
    path: '/dags/{fileName}/versions',
    input: Type.Object({ fileName: FileName, limit: Limit, cursor: Cursor }),
    output: Type.Object({ versions: Type.Array(VersionView), nextCursor: NextCursor }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'versions.get': defineOperation({
    summary: 'Get a version of a workflow file',
    method: 'GET',
    path: '/dags/{fileName}/versions/{versionId}',
    input: Type.Object({
      fileName: FileName,
      versionId: Type.Integer({ minimum: 1, description: 'Version ID' }),
    }),
    output: Type.Object({ ...versionFields, spec: Type.String() }),
    errors: ['not_found'],
    role: 'viewer',
  }),
  'versions.deleted': defineOperation({
    summary: 'List deleted workflows with stored versions, most recently deleted first',
    method: 'GET',
    path: '/deleted-dags',
    input: Type.Object({ limit: Limit, cursor: Cursor }),
    output: Type.Object({ dags: Type.Array(DeletedDagView), nextCursor: NextCursor }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};

/** A coordinate; larger than any canvas. */
const Coordinate = Type.Number({ minimum: -10_000_000, maximum: 10_000_000 });

const Extent = Type.Number({ minimum: 0, maximum: 10_000_000 });

/** The space of a sub-workflow that is expanded in place of its step. */
const Room = Type.Object({
  width: Extent,
  height: Extent,
  /** Distance by which steps to its right were moved. */
  right: Extent,
  /** Distance by which steps below it were moved. */
  down: Extent,
});

const layoutFields = {
  direction: Type.Optional(literals(['right', 'down'], { description: 'Direction of the graph' })),
  nodes: Type.Record(Type.String(), Type.Object({ x: Coordinate, y: Coordinate }), {
    maxProperties: 20_000,
    description: 'Step positions, by name. Positions of unknown steps are removed when the file is saved.',
  }),
  collapsed: Type.Optional(
    Type.Array(Type.String({ maxLength: 1000 }), {
      maxItems: 2000,
      description: 'Collapsed elements, by name',
    }),
  ),
  expanded: Type.Optional(
    Type.Record(Type.String({ maxLength: 1000 }), Room, {
      maxProperties: 2000,
      description: 'Steps with expanded sub-workflows, by name. Nested steps use both names with a slash.',
    }),
  ),
} satisfies Record<string, TSchema>;

/** Positions of the steps of a workflow on the canvas. */
export const LayoutView = Type.Object(layoutFields);
export type LayoutView = Static<typeof LayoutView>;

const address = {
  fileName: FileName,
  document: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name of another workflow in the file. Default: the first workflow.',
    }),
  ),
} satisfies Record<string, TSchema>;

export const layoutOperations = {
  'layouts.get': defineOperation({
    summary: 'Get the saved canvas layout of a workflow',
    method: 'GET',
    path: '/dags/{fileName}/layout',
    input: Type.Object(address),
    output: Type.Object({ layout: Type.Optional(LayoutView) }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'layouts.put': defineOperation({
    summary: 'Save the canvas layout of a workflow without changing the file',
    method: 'PUT',
    path: '/dags/{fileName}/layout',
    input: Type.Object({ ...address, ...layoutFields }),
    output: LayoutView,
    errors: ['not_found', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'change the layout of a workflow',
  }),
};
