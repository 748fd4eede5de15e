import type { StatementResult } from '../../database.ts';
import type { EngineTransaction } from '../engine.ts';

/**
 * What processes say to the one that has the embedded database open: one JSON value a line, over loopback. The first
 * line proves that the file with the token could be read.
 */
export interface Greeting {
  readonly token: string;
}

export type SharedRequest = { readonly id: number } & (
  | {
      readonly kind: 'transact';
      readonly transaction: Omit<EngineTransaction, 'keeps' | 'signal'>;
      readonly asks: boolean;
    }
  /** Answers `asking`. */
  | { readonly kind: 'decide'; readonly keeps: boolean }
  | { readonly kind: 'script'; readonly sql: string }
  /** Ends what was asked for under this number. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'listen' | 'unlisten'; readonly channel: string }
  | { readonly kind: 'dump' }
);

export type SharedMessage =
  | { readonly kind: 'welcome'; readonly version: string }
  | { readonly kind: 'notice'; readonly channel: string; readonly payload?: string | undefined }
  | { readonly kind: 'asking'; readonly id: number; readonly results: readonly StatementResult[] }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly results: readonly StatementResult[];
      /** Of a dump, in base64. */
      readonly bytes?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SharedFailure };

/** An error on its way to another process. */
export type SharedFailure =
  | {
      readonly kind: 'database';
      readonly message: string;
      readonly code: string;
      readonly detail: string | null;
      readonly hint: string | null;
      readonly position: number | null;
    }
  | {
      readonly kind: 'unavailable';
      readonly message: string;
      readonly reason: 'unreachable' | 'busy' | 'closed' | 'lost';
    };

/** Where the process that has the database open can be asked; in a file that its user alone may read. */
export interface SharedPlace {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}
