import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

/** Returns the SHA-256 of a text as UTF-8, in hexadecimal. */
export const hashText = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** A change of a workflow file, with its current or last text. */
export type VersionEvent = Omit<NewVersion, 'at' | 'hash'>;

/** The versions of the workflow files of a home that this engine has seen. */
export class SpecVersions {
  readonly #store: VersionStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: VersionStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Adds the newest version. A text that is the same as the last one adds no version. */
  async add(event: VersionEvent): Promise<void> {
    await this.#store.add({ ...event, hash: hashText(event.text), at: this.#clock.now() });
  }

  /** Lists the versions of one workflow, newest first. */
  list(dag: string, before: number | undefined, limit: number): Promise<StoredVersion[]> {
    return this.#store.list(dag, before, limit);
  }

  /**
   * Returns a version with its text.
   * @throws `not_found`
   */
  async get(dag: string, id: number): Promise<StoredVersion & Pick<NewVersion, 'text'>> {
    const version = await this.#store.find(id);
    if (version?.dag === dag) return version;
    throw versionNotFoundError(id, `of ${dag}`);
  }

  /**
   * Checks that a version exists.
   * @throws `not_found`
   */
  async assertExists(id: number): Promise<void> {
    if ((await this.#store.find(id)) === undefined) throw versionNotFoundError(id, 'of any workflow');
  }

  /** Lists the newest version of every workflow that has had a file, newest first. */
  listLatest(): Promise<StoredVersion[]> {
    return this.#store.listLatest();
  }
}

const versionNotFoundError = (id: number, whose: string): AppError =>
  new AppError('not_found', `Version ${id} ${whose} not found. Old versions are deleted automatically.`);

/**
 * How a version came about: `created`, `saved` and `restored` through this engine; `found`, written by another
 * program; `renamed` and `deleted`, the text at that time; `unsaved`, a draft whose file was deleted.
 */
export const versionKinds = [
  'created',
  'saved',
  'restored',
  'found',
  'renamed',
  'unsaved',
  'deleted',
] as const;
export type VersionKind = (typeof versionKinds)[number];

interface VersionInfo {
  /** File name in the workflow folder, without its extension. */
  readonly dag: string;
  readonly kind: VersionKind;
  /** SHA-256 of the text as UTF-8, in hexadecimal. */
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Absent if unknown. */
  readonly by?: string;
  /** For `renamed`: the previous name. */
  readonly renamedFrom?: string;
  /** For `restored`: the version that was restored. */
  readonly restoredFrom?: number;
}

/** A version to store. */
export interface NewVersion extends VersionInfo {
  readonly text: string;
}

/** A stored version without its text. */
export interface StoredVersion extends VersionInfo {
  /** Increases with each version in the home. */
  readonly id: number;
  /** Size of the text in bytes of UTF-8. */
  readonly bytes: number;
}

/** Stores the versions of workflow files. Each text is stored once, however many versions have it. */
export interface VersionStore {
  /**
   * Adds a version as the newest of its workflow. With `renamedFrom`, takes over the versions of the previous name.
   * Deletes the oldest versions if there are too many. Adds nothing and returns undefined if the file exists with this
   * text, unless it was renamed or deleted.
   */
  add(version: NewVersion): Promise<StoredVersion | undefined>;
  /** Lists the versions of one workflow with an id below `before`, newest first. */
  list(dag: string, before: number | undefined, limit: number): Promise<StoredVersion[]>;
  find(id: number): Promise<(StoredVersion & Pick<NewVersion, 'text'>) | undefined>;
  /** Lists the newest version of every workflow that has had a file, newest first. */
  listLatest(): Promise<StoredVersion[]>;
}
