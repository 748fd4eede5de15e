import Type, { type Static, type TSchema } from 'typebox';
import { SpecHash } from './dag-files.ts';
import { FileName } from './dags.ts';
import { defineOperation } from '../operation.ts';
import { Cursor, Limit, NextCursor } from '../paging.ts';
import { literals, Timestamp } from '../runs/run-views.ts';

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
      versionId: Type.Integer({ minimum: 1, description: 'Version id' }),
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
