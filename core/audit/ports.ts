import type { AuditEntry, KeptAuditEntry } from '../model/audit.ts';

/** Which entries to list; all given fields must hold. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  /** The name of an operation, or the part of it before the dot. */
  readonly operation?: string | undefined;
  /** Part of what it was about, whatever its case. */
  readonly target?: string | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  /** At this time or later, epoch milliseconds. */
  readonly from?: number | undefined;
  /** Before this time, epoch milliseconds. */
  readonly before?: number | undefined;
  /** Only entries with a lower id. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** Entries that were found. Some were looked at in vain when there are fewer than asked for and there is a `next`. */
export interface AuditPage {
  readonly entries: readonly KeptAuditEntry[];
  /** Lowest id that was looked at; absent at the end. */
  readonly next?: number | undefined;
}

/** Where it is kept who did what. Nothing in it is ever changed; what is too old is removed. */
export interface AuditStore {
  /** Adds entries in one transaction, and removes the oldest beyond what is kept. */
  add(entries: readonly AuditEntry[]): void;
  /** Newest first. */
  list(filter: AuditFilter): AuditPage;
  count(): number;
}

/** What is kept: entries of a year, and at most so many. */
export interface AuditLimits {
  readonly ageMs: number;
  readonly entries: number;
}

export const auditLimits: AuditLimits = { ageMs: 365 * 86_400_000, entries: 200_000 };
