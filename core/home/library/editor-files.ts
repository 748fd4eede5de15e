import path from 'node:path';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { HomePaths } from '../config/home.ts';
import type { LibraryEntry, WorkflowLibrary } from './workflow-library.ts';
import { type DraftLocation, Drafts, type Draft, JsonFolder } from './drafts.ts';
import { Layouts } from './layouts.ts';
import { hashText, SpecVersions, type VersionEvent, type VersionStore } from './spec-versions.ts';
import { listNames } from './folder-listing.ts';

interface EditorFilesOptions {
  readonly drafts: Drafts;
  readonly layouts: Layouts;
  readonly versions: SpecVersions;
  readonly deleted: JsonFolder<DeletedFile>;
  readonly changes: FileChanges;
  readonly logger: Logger;
}

/** Author and origin of a text. */
export interface TextOrigin {
  readonly by: string;
  /** The version that is restored. */
  readonly restoredFrom?: number | undefined;
  /** The draft that is saved with this text. */
  readonly draft?: { readonly location: DraftLocation; readonly revision: number } | undefined;
}

/**
 * Maintains the editor's data about workflow files (versions, drafts, layouts) when they are read or written. If this
 * fails after a file was written, the error is only logged.
 */
export class EditorFiles {
  readonly drafts: Drafts;
  readonly layouts: Layouts;
  readonly versions: SpecVersions;
  readonly deleted: JsonFolder<DeletedFile>;
  readonly changes: FileChanges;
  readonly #logger: Logger;

  constructor({ drafts, layouts, versions, deleted, changes, logger }: EditorFilesOptions) {
    this.drafts = drafts;
    this.layouts = layouts;
    this.versions = versions;
    this.deleted = deleted;
    this.changes = changes;
    this.#logger = logger;
  }

  /** Called when a text was read or is about to be replaced; stores a version if another program has written it. */
  async recordExternalChange({ fileName, spec }: LibraryEntry): Promise<void> {
    if (spec.text === '') return;
    await this.#addVersion({ dag: fileName, text: spec.text, kind: 'found' });
  }

  /**
   * Called when a file was created. Data of an earlier file of this name belongs to another workflow and is deleted.
   */
  async recordCreated({ fileName, spec }: LibraryEntry, author: TextOrigin): Promise<void> {
    this.changes.notify({ fileName, kind: 'created', hash: hashText(spec.text) });
    if (author.restoredFrom === undefined) this.#attempt(fileName, () => this.layouts.remove(fileName));
    this.#attempt(fileName, () => this.deleted.remove(fileName));
    await this.#recordText(fileName, spec.text, { kind: 'created', author });
  }

  /** Called when a file was saved. */
  async recordSaved({ fileName, spec }: LibraryEntry, author: TextOrigin): Promise<void> {
    this.changes.notify({ fileName, kind: 'changed', hash: hashText(spec.text) });
    this.#attempt(fileName, () => {
      const draft = this.drafts.get({ fileName });
      if (draft?.spec === spec.text) this.drafts.remove({ fileName });
    });
    // In an invalid file, it is unknown which steps it will have.
    if (spec.diagnostics.every(({ severity }) => severity !== 'error'))
      this.#attempt(fileName, () => this.layouts.prune(fileName, getNames(spec.workflows)));
    await this.#recordText(fileName, spec.text, { kind: 'saved', author });
  }

  /** Called when a file was renamed. */
  async recordRenamed({ fileName, spec }: LibraryEntry, from: string, by: string): Promise<void> {
    const { text } = spec;
    this.changes.notify({ fileName, kind: 'renamed', hash: hashText(text), from });
    this.#attempt(fileName, () => this.drafts.rename(from, fileName));
    this.#attempt(fileName, () => this.layouts.rename(from, fileName));
    await this.#addVersion({ dag: fileName, text, kind: 'renamed', by, renamedFrom: from });
  }

  /**
   * Called before a file is deleted; stores its text and draft, so that they can be restored.
   * @throws AppError
   */
  async saveForRestore(entry: LibraryEntry, by: string, file: Omit<DeletedFile, 'draft'>): Promise<void> {
    const { fileName, spec } = entry;
    const draft = this.drafts.get({ fileName });
    await this.recordExternalChange(entry);
    if (draft !== undefined && draft.spec !== spec.text)
      await this.versions.add({ dag: fileName, text: draft.spec, kind: 'unsaved', by: draft.by });
    await this.versions.add({ dag: fileName, text: spec.text, kind: 'deleted', by });
    this.deleted.write(fileName, { ...file, draft });
  }

  /** Called when a file was deleted. */
  recordRemoved(fileName: string): void {
    this.changes.notify({ fileName, kind: 'removed' });
    this.#attempt(fileName, () => this.drafts.remove({ fileName }));
  }

  async #recordText(
    dag: string,
    text: string,
    {
      kind,
      author: { by, restoredFrom, draft },
    }: { readonly kind: 'created' | 'saved'; readonly author: TextOrigin },
  ): Promise<void> {
    const origin = restoredFrom === undefined ? { kind } : { kind: 'restored' as const, restoredFrom };
    if (draft !== undefined) this.#attempt(dag, () => this.#removeDraft(draft));
    await this.#addVersion({ dag, text, by, ...origin });
  }

  /** Does not delete a later draft of another window. */
  #removeDraft({ location, revision }: NonNullable<TextOrigin['draft']>): void {
    try {
      this.drafts.remove(location, revision);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }

  async #addVersion(event: VersionEvent): Promise<void> {
    try {
      await this.versions.add(event);
    } catch (error) {
      this.#warn(event.dag, error);
    }
  }

  #attempt(dag: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#warn(dag, error);
    }
  }

  #warn(dag: string, error: unknown): void {
    this.#logger.warn('Cannot save the editor data of a workflow', { dag, message: getErrorMessage(error) });
  }
}

/** Returns the names of steps and handlers by workflow name; the name of the first workflow is empty. */
function getNames(workflows: readonly Workflow[]): Map<string, Set<string>> {
  return new Map(
    workflows.map(({ name, steps, handlers }, index) => [
      index === 0 ? '' : name,
      new Set([...steps, ...Object.values(handlers)].map((step) => step.name)),
    ]),
  );
}

/** A change of a workflow file. */
export interface FileChange {
  /** Without its extension. */
  readonly fileName: string;
  readonly kind: 'changed' | 'created' | 'removed' | 'renamed';
  /** Hash of the current text; absent for a deleted file. */
  readonly hash?: string;
  /** For `renamed`: the previous name. A rename by another program is reported as one deleted and one created file. */
  readonly from?: string;
}

/** Access to the workflow folder for watching. */
export interface WatchedFiles {
  /** Returns the names of the files. */
  names(): ReadonlySet<string>;
  /** Returns the text of a file, or undefined if it does not exist. */
  read(fileName: string): string | undefined;
  /** Calls the listener when a file may have been created, deleted or written, by any program. */
  onChange(listener: (fileName: string) => void): Dispose;
}

/** Reports changes of workflow files: changes by this engine at once, other changes when they are detected. */
export class FileChanges {
  readonly #files: WatchedFiles;
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #emitter: Emitter<FileChange>;
  /** Known files with the hashes of their texts, where known; only maintained while there are listeners. */
  #known = new Map<string, string | undefined>();
  readonly #pendingNames = new Set<string>();
  #stopWatching: Dispose | undefined;

  constructor(files: WatchedFiles, clock: Pick<Clock, 'soon'>, logger: Logger) {
    this.#files = files;
    this.#clock = clock;
    this.#emitter = new Emitter((error) =>
      logger.error('A listener for workflow file changes failed', { message: String(error) }),
    );
  }

  /** Calls the listener for each change from now on. */
  subscribe(listener: (change: FileChange) => void): Dispose {
    if (this.#emitter.size === 0) this.#startWatching();
    const dispose = this.#emitter.subscribe(listener);
    return () => {
      dispose();
      if (this.#emitter.size === 0) this.close();
    };
  }

  /** Reports a change by this engine; the watcher does not report it again. */
  notify(change: FileChange): void {
    const { fileName, kind, hash, from } = change;
    if (this.#stopWatching === undefined) return;
    if (from !== undefined) this.#known.delete(from);
    if (kind === 'removed') this.#known.delete(fileName);
    else this.#known.set(fileName, hash);
    this.#emitter.emit(change);
  }

  close(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #startWatching(): void {
    // Watch before reading the names, so that changes in between are detected.
    this.#stopWatching = this.#files.onChange((fileName) => this.#markChanged(fileName));
    this.#known = new Map(Array.from(this.#files.names(), (name) => [name, undefined]));
  }

  /** Deferred, because a change by this engine is reported in the same turn. */
  #markChanged(fileName: string): void {
    if (this.#pendingNames.size === 0) this.#clock.soon(() => this.#checkAllFiles());
    this.#pendingNames.add(fileName);
  }

  #checkAllFiles(): void {
    const names = [...this.#pendingNames];
    this.#pendingNames.clear();
    if (this.#stopWatching !== undefined) for (const fileName of names) this.#checkFile(fileName);
  }

  #checkFile(fileName: string): void {
    const text = this.#files.read(fileName);
    const wasKnown = this.#known.has(fileName);
    if (text === undefined) {
      if (wasKnown) this.notify({ fileName, kind: 'removed' });
      return;
    }
    const hash = hashText(text);
    if (wasKnown && this.#known.get(fileName) === hash) return;
    this.notify({ fileName, kind: wasKnown ? 'changed' : 'created', hash });
  }
}

/** What a deleted workflow file had besides its text, which is in its versions, so that it can be restored as it was. */
interface DeletedFile {
  /** Folder as of `WorkflowLibrary.folderOf`. */
  readonly folder: string;
  /** With the dot. */
  readonly extension: string;
  readonly isSuspended: boolean;
  /** Unsaved changes. */
  readonly draft?: Draft | undefined;
}

function isDeletedFile(value: unknown): value is DeletedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { folder, extension, isSuspended } = value as Record<string, unknown>;
  return typeof folder === 'string' && typeof extension === 'string' && typeof isSuspended === 'boolean';
}

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
    deleted: new JsonFolder(path.join(paths.editor, 'deleted'), isDeletedFile),
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
