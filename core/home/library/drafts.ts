import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError, fieldError } from '../../base/errors.ts';
import { toIso, type Clock } from '../../base/clock.ts';
import { countUtf8Bytes } from '../../base/text.ts';
import { formatActor } from '../../model/run-event.ts';
import { formatTooLarge } from '../../spec/limits.ts';
import { putFile, removeFile, renameFile } from '../write-file.ts';

const extension = '.json';

/** A folder with one JSON file per name, written atomically. Created on first use. */
export class JsonFolder<Content> {
  readonly #folder: string;
  readonly #isContent: (value: unknown) => value is Content;

  /** @param isContent whether a parsed value has the format of this release */
  constructor(folder: string, isContent: (value: unknown) => value is Content) {
    this.#folder = folder;
    this.#isContent = isContent;
  }

  /**
   * Returns the value of a name, or undefined if there is no usable value.
   * @throws `home_unusable`
   */
  read(name: string): Content | undefined {
    const file = this.#getFilePath(name);
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return this.#isContent(value) ? value : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      if (isMissing(error)) return undefined;
      throw new AppError('home_unusable', `Cannot read ${file}. Check its permissions.`, { cause: error });
    }
  }

  /**
   * Writes a value; on failure the previous value stays.
   * @throws `home_unusable` or `storage_full`
   */
  write(name: string, content: Content): void {
    putFile(this.#getFilePath(name), `${JSON.stringify(content)}\n`);
  }

  /**
   * Deletes the value of a name if it exists.
   * @throws `home_unusable`
   */
  remove(name: string): void {
    removeFile(this.#getFilePath(name));
  }

  /**
   * Moves a value to another name and replaces the value there.
   * @throws `home_unusable`
   */
  rename(name: string, newName: string): void {
    const content = this.read(name);
    if (content === undefined) return;
    this.remove(newName);
    renameFile(this.#getFilePath(name), this.#getFilePath(newName));
  }

  /**
   * Lists the names in order.
   * @throws `home_unusable`
   */
  names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((file) => file.endsWith(extension) && !file.startsWith('.'))
        .map((file) => file.slice(0, -extension.length))
        .toSorted();
    } catch (error) {
      if (isMissing(error)) return [];
      throw new AppError('home_unusable', `Cannot read the folder ${this.#folder}.`, { cause: error });
    }
  }

  #getFilePath(name: string): string {
    return path.join(this.#folder, name + extension);
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));

/** A draft belongs to a workflow file, or to a workflow that has no file yet. */
export type DraftLocation = { readonly fileName: string } | { readonly draftId: string };

/** Unsaved changes of a workflow. */
export interface Draft {
  readonly spec: string;
  /** Hash of the file that was edited; absent for a workflow without a file. */
  readonly baseHash?: string;
  /** Intended name of a workflow without a file, if any. */
  readonly name?: string;
  /** Increases with each change of the draft, even if it was deleted and created again. */
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Author of the draft. */
  readonly by: string;
}

/** A draft to store. */
export interface NewDraft extends Pick<Draft, 'spec' | 'baseHash' | 'name' | 'by'> {
  /** Revision of the draft that this one replaces; 0 if there was none. */
  readonly revision: number;
}

/** Maximum number of drafts of workflows without a file. */
const maxNewDrafts = 200;

/**
 * Stores each draft in a separate file, so that a crash loses nothing. Windows that edit the same workflow share one
 * draft; overwriting a change that the writer has not seen is rejected.
 */
export class Drafts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #fileDrafts: JsonFolder<Draft>;
  readonly #newDrafts: JsonFolder<Draft>;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#fileDrafts = new JsonFolder(path.join(folder, 'drafts'), isDraft);
    this.#newDrafts = new JsonFolder(path.join(folder, 'new'), isDraft);
  }

  get(location: DraftLocation): Draft | undefined {
    const [folder, name] = this.#locate(location);
    return folder.read(name);
  }

  /**
   * Stores a draft. Storing the same draft again, for example after a lost response, is no change.
   * @throws `conflict`, `bad_request` for a text that no file can hold, `home_unusable` or `storage_full`
   */
  put(location: DraftLocation, { revision, ...draft }: NewDraft): Draft {
    assertWritable(draft.spec);
    const [folder, name] = this.#locate(location);
    const known = folder.read(name);
    if (known?.spec === draft.spec && known.baseHash === draft.baseHash && known.name === draft.name)
      return known;
    assertCurrent(known, revision);
    if (known === undefined && 'draftId' in location) this.#assertDraftLimit();
    const at = this.#clock.now();
    const stored = { ...draft, revision: Math.max(at, revision + 1), at };
    folder.write(name, stored);
    return stored;
  }

  /**
   * Deletes a draft if it exists. Returns whether it existed.
   * @param revision deletes only this revision; another one is rejected with `conflict`
   */
  remove(location: DraftLocation, revision?: number): boolean {
    const [folder, name] = this.#locate(location);
    const known = folder.read(name);
    if (known === undefined) return false;
    if (revision !== undefined) assertCurrent(known, revision);
    folder.remove(name);
    return true;
  }

  /** Moves the draft of a renamed file. */
  rename(fileName: string, newFileName: string): void {
    this.#fileDrafts.rename(fileName, newFileName);
  }

  /** Lists all drafts: of files by name, then those without a file, newest first. */
  list(): (DraftLocation & { readonly draft: Draft })[] {
    const fileDrafts = this.#fileDrafts.names().flatMap((fileName) => {
      const draft = this.#fileDrafts.read(fileName);
      return draft === undefined ? [] : [{ fileName, draft }];
    });
    const newDrafts = this.#newDrafts.names().flatMap((draftId) => {
      const draft = this.#newDrafts.read(draftId);
      return draft === undefined ? [] : [{ draftId, draft }];
    });
    return [...fileDrafts, ...newDrafts.toSorted((a, b) => b.draft.at - a.draft.at)];
  }

  #locate(location: DraftLocation): [JsonFolder<Draft>, string] {
    return 'fileName' in location
      ? [this.#fileDrafts, location.fileName]
      : [this.#newDrafts, location.draftId];
  }

  #assertDraftLimit(): void {
    if (this.#newDrafts.names().length < maxNewDrafts) return;
    throw new AppError(
      'bad_request',
      `Limit of ${maxNewDrafts} drafts for new workflows reached. Save or discard some of them.`,
    );
  }
}

function assertCurrent(known: Draft | undefined, revision: number): void {
  if ((known?.revision ?? 0) === revision) return;
  if (known === undefined) {
    throw new AppError(
      'conflict',
      'The draft was saved or discarded in the meantime, perhaps in another window. Reload the workflow.',
      { details: { revision: 0 } },
    );
  }
  throw new AppError(
    'conflict',
    `The draft was changed ${formatActor(known.by)} at ${toIso(known.at)}, perhaps in another window. Reload the draft.`,
    { details: { revision: known.revision } },
  );
}

function assertWritable(spec: string): void {
  const tooLarge = formatTooLarge(countUtf8Bytes(spec));
  const problem = tooLarge ?? (spec.isWellFormed() ? undefined : 'contains an unpaired surrogate');
  if (problem === undefined) return;
  throw fieldError('spec', problem);
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { spec, baseHash, name, revision, at, by } = value as Record<string, unknown>;
  const isOptionalString = (text: unknown): boolean => text === undefined || typeof text === 'string';
  return (
    typeof spec === 'string' &&
    isOptionalString(baseHash) &&
    isOptionalString(name) &&
    Number.isSafeInteger(revision) &&
    Number.isSafeInteger(at) &&
    typeof by === 'string'
  );
}
