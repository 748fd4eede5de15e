import { AppError } from '../../base/errors.ts';
import type { DagSpecView, VersionView, LayoutView } from '../../contract/dag-files.ts';
import type { DraftLocation, Draft } from '../../home/library/drafts.ts';
import type { TextOrigin } from '../../home/library/editor-files.ts';
import { hashText, type StoredVersion } from '../../home/library/spec-versions.ts';
import type { SpecFile } from '../../home/library/read-spec.ts';
import type { LibraryEntry, WorkflowLibrary } from '../../home/library/workflow-library.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { toIso } from '../../base/clock.ts';
import type { DraftSummaryView, DraftView } from '../../contract/drafts.ts';
import type { Layout } from '../../home/library/layouts.ts';
import type { EngineContext } from '../engine-context.ts';
import { getName } from './dag-list.ts';
import { type HandlersFor, parseCursor } from './handlers.ts';

/** Initial text of a new workflow. */
const firstSpec = 'steps:\n  - name: hello\n    command: echo hello\n';

type FileOperation = 'dags.create' | 'dags.spec' | 'dags.updateSpec';

/** Operations on workflow files. */
export const dagFileHandlers: HandlersFor<FileOperation> = {
  'dags.create': async (input, context, caller) => {
    const { name, folder, spec = firstSpec, restoredFrom, draftId, draftRevision } = input;
    const { library, editor } = context;
    assertVisibleName('name', name);
    requireText(spec);
    if (input.allowInvalid !== true)
      requireValid(await library.check(spec, library.newFilePath(name, folder)));
    if (restoredFrom !== undefined) await editor.versions.assertExists(restoredFrom);
    library.create(name, spec, folder);
    const entry = await library.get(name);
    const draft = draftId === undefined ? undefined : toDraft({ draftId }, draftRevision);
    await editor.recordCreated(entry, { by: caller.name, restoredFrom, draft });
    return { name: getName(entry), fileName: name, hash: hashText(spec) };
  },
  'dags.spec': async ({ fileName }, { library, editor }) => {
    const entry = await library.get(fileName);
    await editor.recordExternalChange(entry);
    return toSpecView(entry);
  },
  'dags.updateSpec': async (input, context, caller) => {
    const { fileName, spec, baseHash, restoredFrom, draftRevision } = input;
    const { library, editor } = context;
    const current = await library.get(fileName);
    if (baseHash !== undefined) assertUnchanged(current, baseHash);
    requireText(spec);
    if (input.allowInvalid !== true) requireValid(await library.check(spec, current.file));
    if (restoredFrom !== undefined) await editor.versions.assertExists(restoredFrom);
    await editor.recordExternalChange(current);
    // Another client may have saved the file meanwhile.
    if (baseHash !== undefined) assertUnchanged(library.peek(fileName), baseHash);
    library.replace(fileName, spec);
    const entry = await library.get(fileName);
    const draft = toDraft({ fileName }, draftRevision);
    await editor.recordSaved(entry, { by: caller.name, restoredFrom, draft });
    return toSpecView(entry);
  },
};

/** Returns the draft that a save replaces; undefined if there is none. */
const toDraft = (location: DraftLocation, revision: number | undefined): TextOrigin['draft'] =>
  revision === undefined ? undefined : { location, revision };

function toSpecView({ fileName, spec }: LibraryEntry): DagSpecView {
  const { text, diagnostics, workflows } = spec;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    fileName,
    spec: text,
    hash: hashText(text),
    errors: errors.map((diagnostic) => formatDiagnostic(diagnostic)),
    diagnostics: [...diagnostics],
    dag: workflows[0],
  };
}

/** Rejects hidden file names, which the library ignores. */
export function assertVisibleName(field: string, name: string): void {
  if (!name.startsWith('.')) return;
  const message = `${field}: "${name}" would be a hidden file. Start the name with another character.`;
  throw new AppError('bad_request', message, { details: { field } });
}

/** Rejects text that a file cannot store unchanged. */
function requireText(spec: string): void {
  if (spec.isWellFormed()) return;
  throw new AppError(
    'bad_request',
    'spec: contains an unpaired surrogate, which cannot be encoded as UTF-8',
    {
      details: { field: 'spec' },
    },
  );
}

/** @throws `invalid_spec` if the file has errors */
export function requireValid({ diagnostics }: SpecFile): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new AppError('invalid_spec', `Invalid workflow, not saved: ${formatDiagnostic(first)}${more}`, {
    details: { diagnostics: errors },
  });
}

/** @throws `conflict` if the text has another hash */
export function assertUnchanged({ fileName, spec }: LibraryEntry, baseHash: string): void {
  const hash = hashText(spec.text);
  if (hash === baseHash) return;
  throw new AppError(
    'conflict',
    `The file of ${fileName} has changed since you read it. Reload it and apply your change again, or omit baseHash.`,
    { details: { hash } },
  );
}

const defaultPageSize = 50;

/** Operations on versions of workflow files. */
export const versionHandlers: HandlersFor<'versions.list' | 'versions.get' | 'versions.deleted'> = {
  'versions.list': async ({ fileName, limit = defaultPageSize, cursor }, { editor, library }) => {
    const before = parseCursor(cursor);
    const entry = findEntry(library, fileName);
    if (entry !== undefined) await editor.recordExternalChange(entry);
    const versions = await editor.versions.list(fileName, before, limit);
    if (entry === undefined && versions.length === 0 && before === undefined) throw unknownDagError(fileName);
    return { versions: versions.map(toVersionView), nextCursor: cursorAfter(versions, limit) };
  },
  'versions.get': async ({ fileName, versionId }, { editor }) => {
    const version = await editor.versions.get(fileName, versionId);
    return { ...toVersionView(version), spec: version.text };
  },
  'versions.deleted': async ({ limit = defaultPageSize, cursor }, { editor, library }) => {
    const before = parseCursor(cursor) ?? Infinity;
    const present = new Set(library.list().map(({ fileName }) => fileName));
    const deleted = (await editor.versions.listLatest()).filter(
      ({ dag, id }) => id < before && !present.has(dag),
    );
    const page = deleted.slice(0, limit);
    return {
      dags: page.map((version) => ({ fileName: version.dag, version: toVersionView(version) })),
      nextCursor: deleted.length > limit ? cursorAfter(page, limit) : undefined,
    };
  },
};

function findEntry(library: WorkflowLibrary, fileName: string): LibraryEntry | undefined {
  try {
    return library.peek(fileName);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const unknownDagError = (fileName: string): AppError =>
  new AppError('not_found', `Workflow "${fileName}" not found, and it has no versions.`);

const cursorAfter = (versions: readonly StoredVersion[], limit: number): string | undefined =>
  versions.length < limit ? undefined : String(versions.at(-1)!.id);

const toVersionView = (version: StoredVersion): VersionView => ({
  id: version.id,
  kind: version.kind,
  hash: version.hash,
  bytes: version.bytes,
  at: toIso(version.at),
  by: version.by,
  renamedFrom: version.renamedFrom,
  restoredFrom: version.restoredFrom,
});

type DraftOperation =
  | 'drafts.list'
  | 'drafts.get'
  | 'drafts.put'
  | 'drafts.delete'
  | 'drafts.getNew'
  | 'drafts.putNew'
  | 'drafts.deleteNew';

/** Operations on drafts. */
export const draftHandlers: HandlersFor<DraftOperation> = {
  'drafts.list': (_input, { editor, library }) => {
    const present = new Set(library.list().map(({ fileName }) => fileName));
    return { drafts: editor.drafts.list().map((entry) => toSummary(entry, present)) };
  },
  'drafts.get': ({ fileName }, context) => readDraft(context, { fileName }),
  'drafts.put': ({ fileName, ...draft }, { editor, library }, { name: by }) => {
    // A file that another program has deleted may still be open in a window.
    if (editor.drafts.get({ fileName }) === undefined) library.peek(fileName);
    return toDraftVersion(editor.drafts.put({ fileName }, { ...draft, by }));
  },
  'drafts.delete': ({ fileName, revision }, { editor }) => ({
    removed: editor.drafts.remove({ fileName }, revision),
  }),
  'drafts.getNew': ({ draftId }, context) => readDraft(context, { draftId }),
  'drafts.putNew': ({ draftId, ...draft }, { editor }, { name: by }) =>
    toDraftVersion(editor.drafts.put({ draftId }, { ...draft, by })),
  'drafts.deleteNew': ({ draftId, revision }, { editor }) => ({
    removed: editor.drafts.remove({ draftId }, revision),
  }),
};

function readDraft({ editor }: EngineContext, location: DraftLocation): { draft?: DraftView } {
  const draft = editor.drafts.get(location);
  return draft === undefined ? {} : { draft: { ...draft, at: toIso(draft.at) } };
}

const toDraftVersion = ({ revision, at }: Draft) => ({ revision, at: toIso(at) });

function toSummary(
  { draft, ...draftLocation }: DraftLocation & { readonly draft: Draft },
  present: ReadonlySet<string>,
): DraftSummaryView {
  const { spec, at, ...info } = draft;
  return {
    ...draftLocation,
    fileExists: 'fileName' in draftLocation && present.has(draftLocation.fileName),
    bytes: Buffer.byteLength(spec),
    ...info,
    at: toIso(at),
  };
}

/** Operations on layouts. */
export const layoutHandlers: HandlersFor<'layouts.get' | 'layouts.put'> = {
  'layouts.get': ({ fileName, document = '' }, { editor }) => {
    const layout = editor.layouts.get(fileName, document);
    return layout === undefined ? {} : { layout: toView(layout) };
  },
  'layouts.put': ({ fileName, document = '', ...layout }, { editor, library }) => {
    library.peek(fileName);
    editor.layouts.put(fileName, document, layout);
    return layout;
  },
};

const toView = ({ direction, nodes, collapsed, expanded }: Layout): LayoutView => ({
  direction,
  nodes: { ...nodes },
  collapsed: collapsed && [...collapsed],
  expanded: expanded && { ...expanded },
});
