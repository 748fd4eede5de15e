import type { RunDetail } from '../../model/run/run.ts';
import type { RunStore } from '../ports.ts';
import type { OpenNode } from '../steps/open-node.ts';
import { nodeKey, type NodeProgress } from './run-progress.ts';

/** A run whose host was lost. */
export interface RecoveryInput {
  readonly store: Pick<RunStore, 'listItems'>;
  readonly detail: RunDetail;
  /** Whether the machine has been up since its host drove it. */
  readonly isSameBoot: boolean;
}

/** The maximum number of items of a step. */
const maxItems = 1000;

/** Returns the nodes that had started and not ended, by `section:name`. */
export function readOpenNodes(
  { store, detail, isSameBoot }: RecoveryInput,
  progress: ReadonlyMap<string, NodeProgress> = new Map(),
): Map<string, OpenNode> {
  const open = new Map<string, OpenNode>();
  for (const { node, status, attempts } of detail.steps) {
    const attempt = attempts.at(-1);
    if (status !== 'running' || attempt === undefined) continue;
    const { times = 1, count = 1, due } = progress.get(nodeKey(node)) ?? {};
    const isEnded = attempt.finishedAt !== undefined;
    const pending = isEnded ? (due ?? ({ kind: 'retry', at: attempt.finishedAt } as const)) : undefined;
    const attemptRef = { node, attempt: attempt.attempt };
    const items = isEnded ? [] : store.listItems(detail.run, { ...attemptRef, limit: maxItems });
    open.set(nodeKey(node), { times, count, attempt, due: pending, items, isSameBoot });
  }
  return open;
}
