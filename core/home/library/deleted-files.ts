import path from 'node:path';
import type { Draft } from './drafts.ts';
import { JsonFolder } from './json-folder.ts';

/** What a deleted workflow file had besides its text, which is in its versions. */
export interface DeletedFile {
  /** Folder as of `WorkflowLibrary.folderOf`. */
  readonly folder: string;
  /** With the dot. */
  readonly extension: string;
  readonly isSuspended: boolean;
  /** Unsaved changes. */
  readonly draft?: Draft | undefined;
}

/** Deleted workflow files by name, so that they can be restored as they were, also by another process. */
export class DeletedFiles {
  readonly #records: JsonFolder<DeletedFile>;

  constructor(editorFolder: string) {
    this.#records = new JsonFolder(path.join(editorFolder, 'deleted'), isDeletedFile);
  }

  get(fileName: string): DeletedFile | undefined {
    return this.#records.read(fileName);
  }

  put(fileName: string, file: DeletedFile): void {
    this.#records.write(fileName, file);
  }

  remove(fileName: string): void {
    this.#records.remove(fileName);
  }
}

function isDeletedFile(value: unknown): value is DeletedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { folder, extension, isSuspended } = value as Record<string, unknown>;
  return typeof folder === 'string' && typeof extension === 'string' && typeof isSuspended === 'boolean';
}
