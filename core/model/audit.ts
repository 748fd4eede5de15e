/** Something that somebody has changed, or tried to. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who, as people know them: a user name, or the name of the way in where nobody has to log in. */
  readonly actor: string;
  /** The way in. */
  readonly via: 'ipc' | 'http' | 'cli';
  /** Address of the caller, where there is one. */
  readonly address?: string | undefined;
  /** Name of the operation. */
  readonly operation: string;
  /** What it was about, such as a workflow or a run; empty when it is about the home as a whole. */
  readonly target: string;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
}

/** An entry as it is kept; the id grows. */
export interface KeptAuditEntry extends AuditEntry {
  readonly id: number;
}
