import type { JsonValue } from '../../base/json.ts';
import type { ExecutorResult } from '../../executors/executor.ts';

/** An item of `parallel` that has ended. */
export interface CompletedItem {
  readonly status: 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted';
  readonly end: ExecutorResult;
  /** The result of a sub-run, or the output of a command; absent when it was too large. */
  readonly output?: JsonValue;
}

/** Items that need not run again, by {@link itemKey}, because earlier attempts have completed them. */
export type CompletedItems = Map<string, CompletedItem>;

/** Identifies the same item in a later attempt. */
export const itemKey = ({ number, text }: { number: number; text: string }): string => `${number}:${text}`;
