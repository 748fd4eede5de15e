import Type, { type Static } from 'typebox';
import { hashPattern, runIdPattern } from '../../base/ids.ts';
import { Diagnostic } from '../../model/diagnostic.ts';
import { Workflow } from '../../model/workflow/workflow.ts';
import { FileName } from './dags.ts';
import { defineOperation } from '../operation.ts';
import { DagName } from '../runs/run-views.ts';

/** Id of a draft of a workflow without a file; chosen by the client that creates it. */
export const DraftId = Type.String({
  pattern: runIdPattern,
  description: 'Id of a draft without a file, chosen by the client: at most 64 characters, A-Za-z0-9_-',
});

export const hash = (description: string) => Type.String({ pattern: hashPattern, description });

export const SpecHash = hash('SHA-256 of the UTF-8 source, in hexadecimal');

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
    description: 'Version id of the source, for the file history',
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
  }),
  'dags.rename': defineOperation({
    summary: 'Rename a workflow file. The run history keeps the old name; versions move with the file',
    method: 'POST',
    path: '/dags/{fileName}/rename',
    input: Type.Object({ fileName: FileName, newFileName: DagName }),
    output: Type.Object({
      fileName: Type.String(),
      name: Type.String({ description: 'Current workflow name: the name in the file, or the file name' }),
    }),
    errors: ['not_found', 'already_exists', 'still_running', 'home_unusable'],
    role: 'manager',
  }),
  'dags.delete': defineOperation({
    summary: 'Delete a workflow file. Its history and versions are kept',
    method: 'DELETE',
    path: '/dags/{fileName}',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({ fileName: Type.String() }),
    errors: ['not_found', 'still_running', 'home_unusable'],
    role: 'manager',
  }),
};
