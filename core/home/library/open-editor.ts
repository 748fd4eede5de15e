import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { HomePaths } from '../config/home.ts';
import { DeletedFiles, EditorFiles, FileChanges } from './editor-files.ts';
import { Drafts } from './drafts.ts';
import { listNames } from './folder-tree.ts';
import { Layouts } from './layouts.ts';
import { type VersionStore, SpecVersions } from './spec-versions.ts';
import type { WorkflowLibrary } from './workflow-library.ts';

/** Opens the editor's data other than the workflow files of a home. */
export function openEditor({
  paths,
  library,
  store,
  clock,
  logger,
}: {
  readonly paths: HomePaths;
  readonly library: WorkflowLibrary;
  readonly store: { readonly versions: VersionStore };
  readonly clock: Clock;
  readonly logger: Logger;
}): EditorFiles {
  const changes = new FileChanges(
    {
      names: () => listNames(paths.dags),
      read: (fileName) => readText(library, fileName),
      onChange: (listener) => library.onChange(listener),
    },
    clock,
    logger,
  );
  return new EditorFiles({
    drafts: new Drafts(paths.editor, clock),
    layouts: new Layouts(paths.editor),
    versions: new SpecVersions(store.versions, clock),
    deleted: new DeletedFiles(paths.editor),
    changes,
    logger,
  });
}

function readText(library: WorkflowLibrary, fileName: string): string | undefined {
  try {
    return library.peek(fileName).spec.text;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
