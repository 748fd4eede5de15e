/** A change that a user made or tried to make. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The actor by display name: a user name, or the name of the interface where no login is required. */
  readonly actor: string;
  /** The interface. */
  readonly via: 'ipc' | 'http' | 'cli';
  /** Address of the caller, if there is one. */
  readonly address?: string | undefined;
  /** Name of the operation. */
  readonly operation: string;
  /** The affected object, such as a workflow or a run; empty for the home as a whole. */
  readonly target: string;
  /** `done`, or the error code. */
  readonly outcome: string;
}

/** A stored entry; ids increase. */
export interface StoredAuditEntry extends AuditEntry {
  readonly id: number;
}

/** Filter for entries; all specified fields must match. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  /** Operation name, or its part before the dot. */
  readonly operation?: string | undefined;
  /** Part of the target, case-insensitive. */
  readonly target?: string | undefined;
  readonly outcome?: 'done' | 'refused' | undefined;
  /** At or after this time, epoch milliseconds. */
  readonly from?: number | undefined;
  /** Before this time, epoch milliseconds. */
  readonly before?: number | undefined;
  /** Only entries with a lower id. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** Found entries. If there are fewer than requested and `next` is set, some scanned entries did not match. */
export interface AuditPage {
  readonly entries: readonly StoredAuditEntry[];
  /** Lowest scanned id; absent at the end. */
  readonly next?: number | undefined;
}

/** Store of audit entries, which are never changed; old ones are deleted. */
export interface AuditStore {
  /** Adds entries in one transaction, and deletes the oldest beyond the limits. */
  add(entries: readonly AuditEntry[]): Promise<void>;
  /** Lists entries, newest first. */
  list(filter: AuditFilter): Promise<AuditPage>;
  count(): Promise<number>;
}

/** Limits: entries of a year, and a maximum number. */
export interface AuditLimits {
  readonly ageMs: number;
  readonly entries: number;
}

export const auditLimits: AuditLimits = { ageMs: 365 * 86_400_000, entries: 200_000 };
