import type { ChangeSet } from './text-change.ts';

/**
 * A computed edit, or the reason why it is not possible, as a user-facing message. Computing an edit changes nothing.
 */
export type EditResult = Edit | EditRejection;

export interface Edit {
  readonly ok: true;
  readonly changes: ChangeSet;
  /** Nodes to select afterwards; absent to keep the selection. */
  readonly select?: readonly NodeRef[];
  /** For pasted steps: dependencies that were dropped because no step has this name here. */
  readonly lost?: readonly string[];
}

export interface EditRejection {
  readonly ok: false;
  readonly reason: string;
  /** An alternative that a view may offer as a button. */
  readonly offer?: 'convert-to-graph';
}

/** A step, or a handler (then `name` is `init`, `success`, `failure`, `abort` or `exit`). */
export interface NodeRef {
  readonly section: 'step' | 'handler';
  readonly name: string;
  /** Document index of a further workflow of the file; absent for the main workflow. */
  readonly document?: number;
}
