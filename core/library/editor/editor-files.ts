import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { LibraryEntry } from '../workflow-library.ts';
import type { DraftLocation, Drafts } from './drafts.ts';
import type { FileChanges } from './file-changes.ts';
import type { Layouts } from './layouts.ts';
import { hashText, type SpecVersions } from './spec-versions.ts';

interface EditorDeps {
  readonly drafts: Drafts;
  readonly layouts: Layouts;
  readonly versions: SpecVersions;
  readonly changes: FileChanges;
  readonly logger: Logger;
}

/** Author and origin of a text. */
export interface TextOrigin {
  readonly by: string;
  /** The version that is restored. */
  readonly restoredFrom?: number | undefined;
  /** The draft that is saved with this text. */
  readonly draft?: { readonly place: DraftLocation; readonly revision: number } | undefined;
}

/**
 * Maintains the editor's data about workflow files (versions, drafts, layouts) when they are read or written. If this
 * fails after a file was written, the error is only logged.
 */
export class EditorFiles {
  readonly drafts: Drafts;
  readonly layouts: Layouts;
  readonly versions: SpecVersions;
  readonly changes: FileChanges;
  readonly #logger: Logger;

  constructor({ drafts, layouts, versions, changes, logger }: EditorDeps) {
    this.drafts = drafts;
    this.layouts = layouts;
    this.versions = versions;
    this.changes = changes;
    this.#logger = logger;
  }

  /** Called when a text was read or is about to be replaced; stores a version if another program has written it. */
  recordExternalChange({ fileName, spec }: LibraryEntry): void {
    if (spec.text === '') return;
    this.#attempt(fileName, () => this.versions.recordExternalChange(fileName, spec.text));
  }

  /**
   * Called when a file was created. Data of an earlier file of this name belongs to another workflow and is deleted.
   */
  recordCreated({ fileName, spec }: LibraryEntry, author: TextOrigin): void {
    this.changes.notify({ fileName, kind: 'created', hash: hashText(spec.text) });
    this.#recordText(fileName, spec.text, { kind: 'created', author });
    if (author.restoredFrom === undefined) this.#attempt(fileName, () => this.layouts.remove(fileName));
  }

  /** Called when a file was saved. */
  recordSaved({ fileName, spec }: LibraryEntry, author: TextOrigin): void {
    this.changes.notify({ fileName, kind: 'changed', hash: hashText(spec.text) });
    this.#recordText(fileName, spec.text, { kind: 'saved', author });
    this.#attempt(fileName, () => {
      const draft = this.drafts.get({ fileName });
      if (draft?.spec === spec.text) this.drafts.remove({ fileName });
    });
    // In an invalid file, it is unknown which steps it will have.
    if (spec.diagnostics.every(({ severity }) => severity !== 'error'))
      this.#attempt(fileName, () => this.layouts.prune(fileName, namesOf(spec.workflows)));
  }

  /** Called when a file was renamed. */
  recordRenamed({ fileName, spec }: LibraryEntry, from: string, by: string): void {
    const { text } = spec;
    this.changes.notify({ fileName, kind: 'renamed', hash: hashText(text), from });
    this.#attempt(fileName, () =>
      this.versions.add({ dag: fileName, text, kind: 'renamed', by, renamedFrom: from }),
    );
    this.#attempt(fileName, () => this.drafts.rename(from, fileName));
    this.#attempt(fileName, () => this.layouts.rename(from, fileName));
  }

  /**
   * Called before a file is deleted; stores its text and draft, so that they can be restored.
   * @throws AppError
   */
  saveForRestore(entry: LibraryEntry, by: string): void {
    const { fileName, spec } = entry;
    const draft = this.drafts.get({ fileName });
    this.recordExternalChange(entry);
    if (draft !== undefined && draft.spec !== spec.text)
      this.versions.add({ dag: fileName, text: draft.spec, kind: 'unsaved', by: draft.by });
    this.versions.add({ dag: fileName, text: spec.text, kind: 'deleted', by });
  }

  /** Called when a file was deleted. */
  recordRemoved(fileName: string): void {
    this.changes.notify({ fileName, kind: 'removed' });
    this.#attempt(fileName, () => this.drafts.remove({ fileName }));
  }

  #recordText(
    dag: string,
    text: string,
    {
      kind,
      author: { by, restoredFrom, draft },
    }: { readonly kind: 'created' | 'saved'; readonly author: TextOrigin },
  ): void {
    const origin = restoredFrom === undefined ? { kind } : { kind: 'restored' as const, restoredFrom };
    this.#attempt(dag, () => this.versions.add({ dag, text, by, ...origin }));
    if (draft !== undefined) this.#attempt(dag, () => this.#removeDraft(draft));
  }

  /** Does not delete a later draft of another window. */
  #removeDraft({ place, revision }: NonNullable<TextOrigin['draft']>): void {
    try {
      this.drafts.remove(place, revision);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    }
  }

  #attempt(dag: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#logger.warn('Cannot save the editor data of a workflow', {
        dag,
        message: messageOf(error),
      });
    }
  }
}

/** Returns the names of steps and handlers by workflow name; the name of the first workflow is empty. */
function namesOf(workflows: readonly Workflow[]): Map<string, Set<string>> {
  return new Map(
    workflows.map(({ name, steps, handlers }, index) => [
      index === 0 ? '' : name,
      new Set([...steps, ...Object.values(handlers)].map((step) => step.name)),
    ]),
  );
}
