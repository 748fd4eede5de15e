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
