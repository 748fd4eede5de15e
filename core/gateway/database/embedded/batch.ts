import type { Statement, StatementResult } from '../database.ts';

/** Statements that the engine is given in one go; after one that fails, the others of a transaction fail, too. */
export interface Batch {
  /** Before the statements, with a result that nobody looks at: `BEGIN`. */
  readonly begin?: string | undefined;
  readonly statements: readonly Statement[];
  /** As of a transaction: when it is true after the statements, `end` is left out. */
  readonly doubt?: string | undefined;
  /** After them, in the same way: `COMMIT`. */
  readonly end?: string | undefined;
}

/** What PostgreSQL said of the statement that failed first. */
export interface BatchFailure {
  readonly message: string;
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly position: number | null;
}

/** What became of a batch. */
export type BatchEnd =
  | {
      readonly kind: 'done';
      readonly results: readonly StatementResult[];
      /** Whether `end` was left out because of a doubt. */
      readonly isDoubted?: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: BatchFailure }
  /** The engine did not answer as PostgreSQL does: nothing more that it says can be believed. */
  | { readonly kind: 'broken'; readonly reason: string };

/** What the thread is told. */
export type ThreadRequest =
  | { readonly kind: 'open'; readonly folder: string }
  | { readonly kind: 'batch'; readonly batch: Batch }
  /** The data directory as a compressed tar file. */
  | { readonly kind: 'dump' }
  /** Ends the engine in order. */
  | { readonly kind: 'close' };

/** What the thread tells: notices at any time, else one answer to each request. */
export type ThreadMessage =
  | { readonly kind: 'notice'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'opened'; readonly version: string }
  | { readonly kind: 'batch'; readonly end: BatchEnd }
  | { readonly kind: 'dump'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' }
  /** The request could not be carried out at all. */
  | { readonly kind: 'fault'; readonly reason: string };
