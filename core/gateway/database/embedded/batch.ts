import type { Statement, StatementResult } from '../database.ts';

/** Statements for the engine. In a transaction, all statements after a failed one fail too. */
export interface Batch {
  /** Runs before the statements, for example `BEGIN`. Its result is ignored. */
  readonly begin?: string | undefined;
  readonly statements: readonly Statement[];
  /** As for a transaction: if the condition holds after the statements, `end` does not run. */
  readonly doubt?: string | undefined;
  /** Runs after the statements, for example `COMMIT`. Its result is ignored. */
  readonly end?: string | undefined;
}

/** The error of the first failed statement. */
export interface BatchFailure {
  readonly message: string;
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly position: number | null;
}

/** Outcome of a batch. */
export type BatchResult =
  | {
      readonly kind: 'done';
      readonly results: readonly StatementResult[];
      /** Whether the `doubt` condition held, so that `end` did not run. */
      readonly isDoubted?: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: BatchFailure }
  /** The engine violated the PostgreSQL protocol; its state is unreliable. */
  | { readonly kind: 'broken'; readonly reason: string };

/** A request to the engine thread. */
export type ThreadRequest =
  | { readonly kind: 'open'; readonly folder: string }
  | { readonly kind: 'batch'; readonly batch: Batch }
  /** Returns the data directory as a gzipped tar file. */
  | { readonly kind: 'dump' }
  /** Shuts down the engine. */
  | { readonly kind: 'close' };

/** A message from the engine thread: notices at any time, and one response per request. */
export type ThreadMessage =
  | { readonly kind: 'notice'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'opened'; readonly version: string }
  | { readonly kind: 'batch'; readonly end: BatchResult }
  | { readonly kind: 'dump'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' }
  /** The request failed. */
  | { readonly kind: 'fault'; readonly reason: string };
