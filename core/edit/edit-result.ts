import type { ChangeSet } from './text-change.ts';

/** A finished edit, or why it cannot be made, in a sentence for the user. Making one changes nothing yet. */
export type EditResult = Edit | Refusal;

export interface Edit {
  readonly ok: true;
  readonly changes: ChangeSet;
  /** What the views should have selected afterwards; the selection stays when absent. */
  readonly select?: readonly NodeRef[];
  /** Of pasted steps: what they waited for elsewhere and no longer do, since nobody is called so here. */
  readonly lost?: readonly string[];
}

export interface Refusal {
  readonly ok: false;
  readonly reason: string;
  /** A way out that a view may offer as a button. */
  readonly offer?: 'convert-to-graph';
}

/** A step, or a handler (then `name` is `init`, `success`, `failure`, `abort` or `exit`). */
export interface NodeRef {
  readonly section: 'step' | 'handler';
  readonly name: string;
  /** Of a further workflow of the file: the index of its document. Absent for the main one. */
  readonly document?: number;
}
