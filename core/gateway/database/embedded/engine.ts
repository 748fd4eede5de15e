import type { Statement, StatementResult, Transaction } from '../database.ts';

/** A transaction whose commit decision may come from another process. */
export interface EngineTransaction extends Omit<Transaction, 'keeps' | 'settings'> {
  readonly statements: readonly Statement[];
  readonly keeps?: (results: readonly StatementResult[]) => boolean | Promise<boolean>;
}

export type NoticeListener = (payload: string | undefined) => void;

/** The embedded database: in a thread of this process, or shared by another process. */
export interface Engine {
  /** False if the engine has ended or is unreachable. */
  readonly isOpen: boolean;
  /** Known once the engine has been opened. */
  readonly version: string | undefined;
  /** Implements the method of `GatewayDatabase`, like the next ones. */
  transact(transaction: EngineTransaction): Promise<readonly StatementResult[]>;
  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]>;
  listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>>;
  /** Returns the data directory as a gzipped tar file. */
  dump(): Promise<Uint8Array>;
  /** Shuts down after the current request. */
  close(): Promise<void>;
}
