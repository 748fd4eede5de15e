import type { JsonObject } from '../../base/json.ts';
import type { ArchiveOperation } from '../../model/executors/archive.ts';
import { type ArchiveError, archiveExitCodes } from './archive-error.ts';
import type { EntryKind } from './entries/entry.ts';

/** Further names and errors are only counted, because the summary is held in memory. */
export const listedFiles = 1000;
export const listedErrors = 100;

/** A file in the summary. */
export interface ListedFile {
  readonly name: string;
  readonly type: EntryKind;
  readonly size: number;
  readonly mode: number | undefined;
  /** Epoch seconds. */
  readonly modified: number | undefined;
  readonly isEncrypted?: boolean;
}

const countNames = { extract: 'filesExtracted', create: 'filesAdded', list: 'totalFiles' } as const;

/** The results of a step, collected while it runs. Converted to the JSON that the step writes. */
export class Summary {
  readonly #operation: ArchiveOperation;
  /** Fields that are known from the start: source, destination, format, dryRun. */
  readonly facts: JsonObject;
  readonly #listsFiles: boolean;
  readonly #files: JsonObject[] = [];
  readonly #errors: JsonObject[] = [];
  #fileCount = 0;
  #folderCount = 0;
  #totalSize = 0;
  #skipped = 0;
  #failed = 0;

  constructor(operation: ArchiveOperation, facts: JsonObject, listsFiles: boolean) {
    this.#operation = operation;
    this.facts = facts;
    this.#listsFiles = listsFiles;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Counts a completed entry. Folders are counted separately. */
  add(file: ListedFile): void {
    if (file.type === 'folder') this.#folderCount += 1;
    else {
      this.#fileCount += 1;
      this.#totalSize += file.size;
    }
    if (this.#listsFiles && this.#files.length < listedFiles) this.#files.push(toJson(file));
  }

  /** Counts an entry that `include`, `exclude` or `stripComponents` excludes. */
  skip(): void {
    this.#skipped += 1;
  }

  fail(error: ArchiveError, file?: string): void {
    this.#failed += 1;
    if (this.#errors.length >= listedErrors) return;
    const code = archiveExitCodes[error.class];
    this.#errors.push({
      ...(file === undefined ? {} : { file }),
      class: error.class,
      code,
      error: error.message,
    });
  }

  toJson(): JsonObject {
    const omitted = this.#fileCount + this.#folderCount - this.#files.length;
    return {
      operation: this.#operation,
      ...this.facts,
      [countNames[this.#operation]]: this.#fileCount,
      folders: this.#folderCount,
      totalSize: this.#totalSize,
      ...(this.#listsFiles ? { files: this.#files } : {}),
      ...(this.#listsFiles && omitted > 0 ? { filesOmitted: omitted } : {}),
      skipped: this.#skipped,
      failed: this.#failed,
      errors: this.#errors,
    };
  }
}

function toJson({ name, type, size, mode, modified, isEncrypted }: ListedFile): JsonObject {
  const time = modified === undefined ? undefined : new Date(modified * 1000);
  return {
    name,
    type,
    size,
    ...(mode === undefined ? {} : { mode: (mode & 0o7777).toString(8).padStart(4, '0') }),
    ...(time === undefined || Number.isNaN(time.getTime()) ? {} : { modified: time.toISOString() }),
    ...(isEncrypted === true ? { encrypted: true } : {}),
  };
}
