import { AppError } from '../../../base/errors.ts';
import { toIso } from '../../../base/clock.ts';
import type { VersionView } from '../../../contract/workflows/versions.ts';
import type { StoredVersion } from '../../../library/editor/ports.ts';
import type { LibraryEntry, WorkflowLibrary } from '../../../library/workflow-library.ts';
import { parseCursor } from '../cursor.ts';
import type { HandlersFor } from '../handlers.ts';

const defaultPageSize = 50;

/** Operations on versions of workflow files. */
export const versionHandlers: HandlersFor<'versions.list' | 'versions.get' | 'versions.deleted'> = {
  'versions.list': ({ fileName, limit = defaultPageSize, cursor }, { editor, library }) => {
    const before = parseCursor(cursor);
    const entry = findEntry(library, fileName);
    if (entry !== undefined) editor.recordExternalChange(entry);
    const versions = editor.versions.list(fileName, before, limit);
    if (entry === undefined && versions.length === 0 && before === undefined) throw unknownDagError(fileName);
    return { versions: versions.map(toVersionView), nextCursor: cursorAfter(versions, limit) };
  },
  'versions.get': ({ fileName, versionId }, { editor }) => {
    const version = editor.versions.get(fileName, versionId);
    return { ...toVersionView(version), spec: version.text };
  },
  'versions.deleted': ({ limit = defaultPageSize, cursor }, { editor, library }) => {
    const before = parseCursor(cursor) ?? Infinity;
    const present = new Set(library.list().map(({ fileName }) => fileName));
    const deleted = editor.versions.listLatest().filter(({ dag, id }) => id < before && !present.has(dag));
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
