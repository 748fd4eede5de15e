/**
 * How a text of a workflow file came to be: `created`, `saved` and `restored` through this engine; `found` there, made
 * by something else; `renamed` and `deleted`, the text it had then; `unsaved`, a draft whose file was deleted.
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

interface VersionFacts {
  /** Name of the file in the workflow folder, without its ending. */
  readonly dag: string;
  readonly kind: VersionKind;
  /** SHA-256 of the text as UTF-8, in hexadecimal. */
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who did it; absent when that is not known. */
  readonly by?: string;
  /** Of `renamed`: the name before. */
  readonly renamedFrom?: string;
  /** Of `restored`: the version whose text it is. */
  readonly restoredFrom?: number;
}

/** A text to be kept. */
export interface NewVersion extends VersionFacts {
  readonly text: string;
}

/** A text that is kept, without the text. */
export interface KeptVersion extends VersionFacts {
  /** Grows with each version of the home. */
  readonly id: number;
  /** Length of the text as UTF-8. */
  readonly bytes: number;
}

/** Where the texts that workflow files have had are kept; a text once, however many versions have it. */
export interface VersionStore {
  /**
   * Adds a version, the newest of its workflow; with `renamedFrom` those of the name before become its own. The oldest
   * ones go when there are too many.
   */
  add(version: NewVersion): KeptVersion;
  newest(dag: string): KeptVersion | undefined;
  /** Those of one workflow with an id below `before`, newest first. */
  list(dag: string, before: number | undefined, limit: number): KeptVersion[];
  find(id: number): (KeptVersion & Pick<NewVersion, 'text'>) | undefined;
  /** The newest one of every workflow that has had a file, newest first. */
  listNewest(): KeptVersion[];
}
