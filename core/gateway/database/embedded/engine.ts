import type { Statement, StatementResult, Transaction } from '../database.ts';

/** A transaction about whose commit somebody in another process may be asked. */
export interface EngineTransaction extends Omit<Transaction, 'keeps' | 'settings'> {
  readonly statements: readonly Statement[];
  readonly keeps?: (results: readonly StatementResult[]) => boolean | Promise<boolean>;
}

export type NoticeListener = (payload: string | undefined) => void;

/** The embedded database from a process that may use it: in a thread of its own, or that of another process. */
export interface Engine {
  /** False when it has ended, or cannot be reached any more. */
  readonly isOpen: boolean;
  /** Known once it was open. */
  readonly version: string | undefined;
  /** As those of `GatewayDatabase`. */
  transact(transaction: EngineTransaction): Promise<readonly StatementResult[]>;
  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]>;
  listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>>;
  /** The data directory as a compressed tar file. */
  dump(): Promise<Uint8Array>;
  /** Ends it in order, after what it is doing. */
  close(): Promise<void>;
}
