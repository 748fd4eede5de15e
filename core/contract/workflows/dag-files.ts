import Type, { type Static } from 'typebox';
import { hashPattern, runIdPattern } from '../../base/ids.ts';
import { Diagnostic } from '../../model/diagnostic.ts';
import { Workflow } from '../../model/workflow/workflow.ts';
import { FileName } from './dags.ts';
import { defineOperation } from '../operation.ts';
import { DagName } from '../runs/run-views.ts';

/** Of a draft of a workflow that has no file yet; whoever begins one makes it up. */
export const DraftId = Type.String({
  pattern: runIdPattern,
  description: 'Id of a draft without a file, made up by the client: at most 64 of A-Za-z0-9_-',
});

export const hash = (description: string) => Type.String({ pattern: hashPattern, description });

export const SpecHash = hash('SHA-256 of the text as UTF-8, in hexadecimal');

/** The text of a workflow file, and what is wrong with it. */
export const DagSpecView = Type.Object({
  fileName: Type.String(),
  spec: Type.String(),
  hash: SpecHash,
  errors: Type.Array(Type.String(), { description: 'One readable line each: `file:line:column: message`' }),
  diagnostics: Type.Array(Diagnostic),
  dag: Type.Optional(Workflow),
});
export type DagSpecView = Static<typeof DagSpecView>;

/** Of a text that is written again. */
const RestoredFrom = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'Id of the version whose text it is, for the history of the file',
  }),
);

/** Of a text that is not finished yet. */
const AllowInvalid = Type.Optional(
  Type.Boolean({
    description:
      'Write a text with errors too; its workflow is listed with them, and cannot run until they are mended',
  }),
);

const DraftRevision = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'Revision of the draft that the text was made from: it is removed, unless it is a later one by now',
  }),
);

export const dagFileOperations = {
  'dags.create': defineOperation({
    summary:
      'Creates a workflow file; a text with errors is refused before anything is written, unless it is allowed',
    method: 'POST',
    path: '/dags',
    status: 201,
    input: Type.Object({
      name: DagName,
      spec: Type.Optional(
        Type.String({ description: 'The text of the file; a workflow of one step when absent' }),
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
    summary: 'Reads the text of a workflow file',
    method: 'GET',
    path: '/dags/{fileName}/spec',
    input: Type.Object({ fileName: FileName }),
    output: DagSpecView,
    errors: ['not_found'],
    role: 'viewer',
  }),
  'dags.updateSpec': defineOperation({
    summary:
      'Replaces the text of a workflow file; a text with errors is refused before anything is written, unless it is allowed',
    method: 'PUT',
    path: '/dags/{fileName}/spec',
    input: Type.Object({
      fileName: FileName,
      spec: Type.String({ description: 'The whole new text; it is stored byte for byte' }),
      baseHash: Type.Optional(
        hash('`hash` of the text that was edited: refuse when the file has another one by now'),
      ),
      allowInvalid: AllowInvalid,
      restoredFrom: RestoredFrom,
      draftRevision: DraftRevision,
    }),
    output: DagSpecView,
    errors: ['not_found', 'invalid_spec', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
  }),
  'dags.rename': defineOperation({
    summary:
      'Gives a workflow file another name; the history of its runs stays under the name it has, its versions go along',
    method: 'POST',
    path: '/dags/{fileName}/rename',
    input: Type.Object({ fileName: FileName, newFileName: DagName }),
    output: Type.Object({
      fileName: Type.String(),
      name: Type.String({ description: 'Name of the workflow now: that in the file, else that of the file' }),
    }),
    errors: ['not_found', 'already_exists', 'still_running', 'home_unusable'],
    role: 'manager',
  }),
  'dags.delete': defineOperation({
    summary: 'Removes a workflow file; its history stays, and its text among its versions',
    method: 'DELETE',
    path: '/dags/{fileName}',
    input: Type.Object({ fileName: FileName }),
    output: Type.Object({ fileName: Type.String() }),
    errors: ['not_found', 'still_running', 'home_unusable'],
    role: 'manager',
  }),
};
