import type { RunOwner } from './run/run.ts';

/** What a process opens an engine for. */
export const hostKinds = ['desktop', 'server', 'scheduler', 'cli'] as const;
export type HostKind = (typeof hostKinds)[number];

/** A process that has driven runs on this home, or drives them. Times in epoch milliseconds. */
export interface HostRecord {
  readonly key: number;
  readonly kind: HostKind;
  readonly owner: RunOwner;
  readonly startedAt: number;
  /** Its last sign of life. */
  readonly beatAt: number;
  /** When it left its runs to others, if it did so by itself. */
  readonly leftAt?: number;
}
