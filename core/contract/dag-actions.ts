import Type from 'typebox';
import { tagPattern } from '../base/ids.ts';
import { hash } from './dag-files.ts';
import { FileName, FolderPath } from './dags.ts';
import { defineOperation } from './operation.ts';
import { DagName } from './run-views.ts';

const BaseHash = Type.Optional(
  hash('`hash` of the source that the caller has seen. Fails if the file has changed.'),
);

const BaseReferences = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      '`revision` of the references that the caller has seen. Fails if they have changed; only with `updateReferences`.',
  }),
);

const Tags = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: tagPattern }), {
      maxItems: 50,
      description,
    }),
  );

const UpdatedReferences = Type.Array(
  Type.Object({
    fileName: Type.String(),
    steps: Type.Array(Type.String(), { description: 'Names of the steps and handlers' }),
    /** Why the file could not be changed. */
    error: Type.Optional(Type.String()),
  }),
);

/** Operations that organize workflow files. */
export const dagActionOperations = {
  'dags.rename': defineOperation({
    summary:
      'Rename a workflow file. The run history keeps the old name; versions and schedule state move with the file',
    method: 'POST',
    path: '/dags/{fileName}/rename',
    input: Type.Object({
      fileName: FileName,
      newFileName: DagName,
      updateName: Type.Optional(
        Type.Boolean({ description: 'Set the field `name` of the file to the new name, too' }),
      ),
      updateReferences: Type.Optional(
        Type.Boolean({ description: 'Change the steps of other workflows that run this workflow' }),
      ),
      baseReferences: BaseReferences,
      baseHash: BaseHash,
    }),
    output: Type.Object({
      fileName: Type.String(),
      name: Type.String({ description: 'Current workflow name: the name in the file, or the file name' }),
      references: UpdatedReferences,
    }),
    errors: [
      'not_found',
      'already_exists',
      'still_running',
      'conflict',
      'invalid_spec',
      'home_unusable',
      'storage_full',
    ],
    role: 'manager',
    label: 'rename a workflow file',
    audit: 'resource',
  }),
  'dags.references': defineOperation({
    summary: 'List the steps of other workflows that run a workflow',
    method: 'GET',
    path: '/dags/{fileName}/references',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({
      references: Type.Array(
        Type.Object({
          fileName: Type.String(),
          name: Type.String(),
          steps: Type.Array(Type.String(), { description: 'Names of the steps and handlers' }),
          byPath: Type.Array(Type.String(), {
            description: 'Those that refer to it by a path, which changes when one of the files moves',
          }),
        }),
      ),
      revision: Type.String({ description: 'Changes with the references and their files' }),
    }),
    errors: ['not_found', 'home_unusable'],
    role: 'viewer',
  }),
  'dags.duplicate': defineOperation({
    summary: 'Copy a workflow file to its folder under a new name. The schedule of the copy is suspended',
    method: 'POST',
    path: '/dags/{fileName}/duplicate',
    status: 201,
    input: Type.Object({ fileName: FileName, newFileName: DagName }),
    output: Type.Object({
      fileName: Type.String(),
      name: Type.String(),
      suspended: Type.Boolean({ description: 'Whether the copy has a schedule, which is suspended' }),
    }),
    errors: ['not_found', 'already_exists', 'invalid_spec', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'duplicate a workflow file',
    audit: 'resource',
  }),
  'dags.move': defineOperation({
    summary: 'Move a workflow file to another folder. Its name, history and schedule stay the same',
    method: 'POST',
    path: '/dags/{fileName}/move',
    input: Type.Object({
      fileName: FileName,
      folder: FolderPath,
      updateReferences: Type.Optional(
        Type.Boolean({ description: 'Change the paths in other workflows that run this workflow' }),
      ),
      baseReferences: BaseReferences,
      baseHash: BaseHash,
    }),
    output: Type.Object({
      fileName: Type.String(),
      folder: Type.String(),
      references: UpdatedReferences,
    }),
    errors: ['not_found', 'already_exists', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'move a workflow file',
    audit: 'resource',
  }),
  'dags.updateFields': defineOperation({
    summary: 'Change tags, group and queue of a workflow in its file. Comments and formatting stay',
    method: 'PATCH',
    path: '/dags/{fileName}',
    input: Type.Object({
      fileName: FileName,
      addTags: Tags('Tags to add'),
      removeTags: Tags('Tags to remove'),
      group: Type.Optional(
        Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
          description: 'New group. Null removes the field.',
        }),
      ),
      queue: Type.Optional(
        Type.Union([DagName, Type.Null()], { description: 'New queue. Null removes the field.' }),
      ),
      baseHash: BaseHash,
    }),
    output: Type.Object({ fileName: Type.String(), hash: hash('SHA-256 of the new source') }),
    errors: ['not_found', 'conflict', 'invalid_spec', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'change fields of a workflow file',
    audit: 'resource',
  }),
  'dags.delete': defineOperation({
    summary: 'Delete a workflow file. Runs and versions stay, and the file can be restored',
    method: 'DELETE',
    path: '/dags/{fileName}',
    input: Type.Object({
      fileName: FileName,
      stopRuns: Type.Optional(
        Type.Boolean({ description: 'Stop active and queued runs. Default: fail if there are any.' }),
      ),
      baseHash: BaseHash,
    }),
    output: Type.Object({
      fileName: Type.String(),
      name: Type.String({ description: 'Name of its runs' }),
      stopped: Type.Integer({ description: 'Number of runs that were stopped' }),
    }),
    errors: ['not_found', 'still_running', 'conflict', 'home_unusable'],
    role: 'manager',
    label: 'delete a workflow file',
    audit: 'resource',
  }),
  'dags.restore': defineOperation({
    summary: 'Restore a deleted workflow file with its folder, unsaved changes and schedule state',
    method: 'POST',
    path: '/dags/{fileName}/restore',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({ fileName: Type.String(), name: Type.String(), folder: Type.String() }),
    errors: ['not_found', 'already_exists', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'restore a workflow file',
    audit: 'resource',
  }),
};
