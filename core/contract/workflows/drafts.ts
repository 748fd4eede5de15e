import Type, { type Static, type TSchema } from 'typebox';
import { DraftId, hash } from './dag-files.ts';
import { FileName } from './dags.ts';
import { defineOperation } from '../operation.ts';
import { DagName, Timestamp } from '../runs/run-views.ts';

const BaseHash = Type.Optional(hash('`hash` of the text of the file that was edited'));
const Name = Type.Optional(Type.String({ description: 'The name that the file is to have' }));

const draftFields = {
  /** Grows with each change; send it with the next one. */
  revision: Type.Integer(),
  baseHash: BaseHash,
  name: Name,
  at: Timestamp,
  /** Who wrote it. */
  by: Type.String(),
} satisfies Record<string, TSchema>;

/** A text that has not been saved. */
export const DraftView = Type.Object({ spec: Type.String(), ...draftFields });
export type DraftView = Static<typeof DraftView>;

/** A draft in the list, without its text. */
export const DraftSummaryView = Type.Object({
  /** The file that it is of; absent for a workflow that has none yet. */
  fileName: Type.Optional(Type.String()),
  draftId: Type.Optional(Type.String()),
  /** Whether the file is there: another program may have removed it. */
  fileExists: Type.Boolean(),
  /** Of the text, as UTF-8. */
  bytes: Type.Integer(),
  ...draftFields,
});
export type DraftSummaryView = Static<typeof DraftSummaryView>;

const Revision = Type.Integer({
  minimum: 0,
  description: 'Revision of the draft that this text follows, 0 for a first one; another one is refused',
});

const written = {
  spec: Type.String({ description: 'The whole text, valid or not; at most 4 MiB' }),
  revision: Revision,
} satisfies Record<string, TSchema>;

const removal = {
  revision: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Remove only this one; a later one is refused' }),
  ),
} satisfies Record<string, TSchema>;

const Kept = Type.Object({ revision: Type.Integer(), at: Timestamp });
const Removed = Type.Object({ removed: Type.Boolean({ description: 'Whether there was one' }) });
const Found = Type.Object({ draft: Type.Optional(DraftView) });

export const draftOperations = {
  'drafts.list': defineOperation({
    summary: 'Lists the drafts of workflows: of files by their names, then those without a file',
    method: 'GET',
    path: '/drafts',
    input: Type.Object({}),
    output: Type.Object({ drafts: Type.Array(DraftSummaryView) }),
    errors: ['home_unusable'],
    role: 'manager',
  }),
  'drafts.get': defineOperation({
    summary: 'Reads the unsaved text of a workflow file, when there is one',
    method: 'GET',
    path: '/dags/{fileName}/draft',
    input: Type.Object({ fileName: FileName }),
    output: Found,
    errors: ['home_unusable'],
    role: 'manager',
  }),
  'drafts.put': defineOperation({
    summary: 'Keeps an unsaved text of a workflow file, beside the file, which stays as it is',
    method: 'PUT',
    path: '/dags/{fileName}/draft',
    input: Type.Object({ fileName: FileName, ...written, baseHash: BaseHash }),
    output: Kept,
    errors: ['not_found', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
  }),
  'drafts.delete': defineOperation({
    summary: 'Discards the unsaved text of a workflow file',
    method: 'DELETE',
    path: '/dags/{fileName}/draft',
    input: Type.Object({ fileName: FileName, ...removal }),
    output: Removed,
    errors: ['conflict', 'home_unusable'],
    role: 'manager',
  }),
  'drafts.getNew': defineOperation({
    summary: 'Reads the text of a workflow that has no file yet',
    method: 'GET',
    path: '/drafts/{draftId}',
    input: Type.Object({ draftId: DraftId }),
    output: Found,
    errors: ['home_unusable'],
    role: 'manager',
  }),
  'drafts.putNew': defineOperation({
    summary: 'Keeps the text of a workflow that has no file yet',
    method: 'PUT',
    path: '/drafts/{draftId}',
    input: Type.Object({ draftId: DraftId, ...written, name: Type.Optional(DagName) }),
    output: Kept,
    errors: ['conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
  }),
  'drafts.deleteNew': defineOperation({
    summary: 'Discards the text of a workflow that has no file yet',
    method: 'DELETE',
    path: '/drafts/{draftId}',
    input: Type.Object({ draftId: DraftId, ...removal }),
    output: Removed,
    errors: ['conflict', 'home_unusable'],
    role: 'manager',
  }),
};
