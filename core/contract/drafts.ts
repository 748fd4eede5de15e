import Type, { type Static, type TSchema } from 'typebox';
import { DraftId, hash } from './dag-files.ts';
import { FileName } from './dags.ts';
import { defineOperation } from './operation.ts';
import { DagName, Timestamp } from './run-views.ts';

const BaseHash = Type.Optional(hash('`hash` of the edited file'));
const Name = Type.Optional(Type.String({ description: 'Intended file name' }));

const draftFields = {
  /** Increases with each change; send it with the next change. */
  revision: Type.Integer(),
  baseHash: BaseHash,
  name: Name,
  at: Timestamp,
  /** Author of the draft. */
  by: Type.String(),
} satisfies Record<string, TSchema>;

/** Unsaved changes of a workflow. */
export const DraftView = Type.Object({ spec: Type.String(), ...draftFields });
export type DraftView = Static<typeof DraftView>;

/** A draft in the list, without its text. */
export const DraftSummaryView = Type.Object({
  /** The file it belongs to; absent for a workflow without a file. */
  fileName: Type.Optional(Type.String()),
  draftId: Type.Optional(Type.String()),
  /** Whether the file exists: another program may have deleted it. */
  fileExists: Type.Boolean(),
  /** Size of the text in bytes of UTF-8. */
  bytes: Type.Integer(),
  ...draftFields,
});
export type DraftSummaryView = Static<typeof DraftSummaryView>;

const Revision = Type.Integer({
  minimum: 0,
  description:
    'Revision of the draft that this source is based on (0 for a new draft). Other revisions are rejected.',
});

const written = {
  spec: Type.String({ description: 'Complete source, valid or not, at most 4 MiB' }),
  revision: Revision,
} satisfies Record<string, TSchema>;

const removal = {
  revision: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Delete only this revision. Later revisions are rejected.' }),
  ),
} satisfies Record<string, TSchema>;

const SavedRevision = Type.Object({ revision: Type.Integer(), at: Timestamp });
const Removed = Type.Object({ removed: Type.Boolean({ description: 'Whether a draft existed' }) });
const Found = Type.Object({ draft: Type.Optional(DraftView) });

export const draftOperations = {
  'drafts.list': defineOperation({
    summary: 'List drafts: first for existing files, sorted by name, then for new files',
    method: 'GET',
    path: '/drafts',
    input: Type.Object({}),
    output: Type.Object({ drafts: Type.Array(DraftSummaryView) }),
    errors: ['home_unusable'],
    role: 'manager',
    label: 'list drafts of workflows',
  }),
  'drafts.get': defineOperation({
    summary: 'Get the draft of a workflow file',
    method: 'GET',
    path: '/dags/{fileName}/draft',
    input: Type.Object({ fileName: FileName }),
    output: Found,
    errors: ['home_unusable'],
    role: 'manager',
    label: 'see the draft of a workflow',
  }),
  'drafts.put': defineOperation({
    summary: 'Save a draft of a workflow file without changing the file',
    method: 'PUT',
    path: '/dags/{fileName}/draft',
    input: Type.Object({ fileName: FileName, ...written, baseHash: BaseHash }),
    output: SavedRevision,
    errors: ['not_found', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'save a draft of a workflow',
  }),
  'drafts.delete': defineOperation({
    summary: 'Discard the draft of a workflow file',
    method: 'DELETE',
    path: '/dags/{fileName}/draft',
    input: Type.Object({ fileName: FileName, ...removal }),
    output: Removed,
    errors: ['conflict', 'home_unusable'],
    role: 'manager',
    label: 'discard the draft of a workflow',
  }),
  'drafts.getNew': defineOperation({
    summary: 'Get the draft of a new workflow',
    method: 'GET',
    path: '/drafts/{draftId}',
    input: Type.Object({ draftId: DraftId }),
    output: Found,
    errors: ['home_unusable'],
    role: 'manager',
    label: 'see the draft of a workflow',
  }),
  'drafts.putNew': defineOperation({
    summary: 'Save the draft of a new workflow',
    method: 'PUT',
    path: '/drafts/{draftId}',
    input: Type.Object({ draftId: DraftId, ...written, name: Type.Optional(DagName) }),
    output: SavedRevision,
    errors: ['conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'save a draft of a workflow',
  }),
  'drafts.deleteNew': defineOperation({
    summary: 'Discard the draft of a new workflow',
    method: 'DELETE',
    path: '/drafts/{draftId}',
    input: Type.Object({ draftId: DraftId, ...removal }),
    output: Removed,
    errors: ['conflict', 'home_unusable'],
    role: 'manager',
    label: 'discard the draft of a workflow',
  }),
};
