import type { JsonValue } from '../../base/json.ts';
import type { ExecutorEnd } from '../../executors/executor.ts';

/** An item of `parallel` that has been done. */
export interface DoneItem {
  readonly status: 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted';
  readonly end: ExecutorEnd;
  /** The result of a sub-run, or what a command printed; absent when it was too much. */
  readonly output?: JsonValue;
}

/** Items that need not be done again, by {@link itemKey}: earlier attempts did them. */
export type KeptItems = Map<string, DoneItem>;

/** What makes an item of a later attempt the same. */
export const itemKey = ({ number, text }: { number: number; text: string }): string => `${number}:${text}`;
