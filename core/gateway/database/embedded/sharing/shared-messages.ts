import type { StatementResult } from '../../database.ts';
import type { EngineTransaction } from '../engine.ts';

/**
 * Messages to the process that has the embedded database open: one JSON value per line, over loopback. The first line
 * proves access to the token file.
 */
export interface HelloMessage {
  readonly token: string;
}

export type SharedRequest = { readonly id: number } & (
  | {
      readonly kind: 'transact';
      readonly transaction: Omit<EngineTransaction, 'keeps' | 'signal'>;
      readonly asks: boolean;
    }
  /** Response to `asking`. */
  | { readonly kind: 'decide'; readonly keeps: boolean }
  | { readonly kind: 'script'; readonly sql: string }
  /** Cancels the request with this number. */
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
      /** Bytes of a dump, in base64. */
      readonly bytes?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SharedFailure };

/** An error in transferable form. */
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

/** Address of the process that has the database open, in a file readable only by its user. */
export interface SharingEndpoint {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}
