import type { RunOwner } from './run/run.ts';

/** Purpose for which a process opens an engine. */
export const hostKinds = ['desktop', 'server', 'scheduler', 'cli'] as const;
export type HostKind = (typeof hostKinds)[number];

/** A process that drives or has driven runs on this home. Times in epoch milliseconds. */
export interface HostRecord {
  readonly key: number;
  readonly kind: HostKind;
  readonly owner: RunOwner;
  readonly startedAt: number;
  /** Its last heartbeat. */
  readonly beatAt: number;
  /** When it released its runs, if it did. */
  readonly leftAt?: number;
}
