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
   * Deletes the oldest versions if there are too many.
   */
  add(version: NewVersion): StoredVersion;
  newest(dag: string): StoredVersion | undefined;
  /** Lists the versions of one workflow with an id below `before`, newest first. */
  list(dag: string, before: number | undefined, limit: number): StoredVersion[];
  find(id: number): (StoredVersion & Pick<NewVersion, 'text'>) | undefined;
  /** Lists the newest version of every workflow that has had a file, newest first. */
  listLatest(): StoredVersion[];
}
