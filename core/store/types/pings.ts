// A file of its own: the contract of the store for one of its tables, also for the UI.
import type { PingCheck, PingKind, PingRecord } from '../../model/expectation.ts';

/** Settings of a check. */
export type PingSettings = Pick<
  PingCheck,
  'name' | 'schedule' | 'timezone' | 'periodMs' | 'graceMs' | 'tags'
>;

/** A request to the address of a check. */
export interface ReceivedPing extends Omit<PingRecord, 'id' | 'kind' | 'durationMs'> {
  readonly kind: Exclude<PingKind, 'missing'>;
}

/** A ping that did not arrive in time. */
export interface MissingPing {
  readonly deadline: number;
  /** Whether the job started, and did not end. */
  readonly isLong: boolean;
  readonly message: string;
}

/** Stores checks and pings. Each method is one transaction, durable when it resolves. */
export interface PingStore {
  listChecks(): Promise<PingCheck[]>;
  findCheck(name: string): Promise<PingCheck | undefined>;
  /** Throws `already_exists` for a name in use. */
  createCheck(token: string, settings: PingSettings, at: number): Promise<PingCheck>;
  /**
   * Changes a check in one transaction, and returns it; undefined if there is none with this name.
   * @param change returns the new settings, without side effects
   * @throws `already_exists` for a name in use
   */
  updateCheck(name: string, change: (check: PingCheck) => PingSettings): Promise<PingCheck | undefined>;
  deleteCheck(id: number): Promise<void>;
  /** Finds the check with a token. */
  findByToken(token: string): Promise<PingCheck | undefined>;
  /** Records a ping with its notification; returns false for a check that was deleted. */
  record(checkId: number, ping: ReceivedPing): Promise<boolean>;
  /** Records a missing ping with its notification, unless it is known. */
  recordMissing(check: PingCheck, missing: MissingPing, at: number): Promise<boolean>;
  /** Lists the pings of a check, newest first. */
  listPings(checkId: number, limit: number): Promise<PingRecord[]>;
}
