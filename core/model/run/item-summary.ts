import type { RunEvent } from './run-event.ts';
import type { ItemSummary } from './run.ts';
import { hasSucceeded } from './status.ts';

type ItemEvent = Extract<RunEvent, { type: 'step.item_started' | 'step.item_finished' }>;

const noItems: ItemSummary = { started: 0, running: 0, succeeded: 0, failed: 0 };

/** Returns the counts of an attempt's items after an item has started or ended. */
export function countItem(items: ItemSummary = noItems, event: ItemEvent): ItemSummary {
  if (event.type === 'step.item_started') {
    const total = event.total ?? items.total;
    return { ...items, total, started: items.started + 1, running: items.running + 1 };
  }
  const outcome = hasSucceeded(event.status) ? 'succeeded' : 'failed';
  return { ...items, running: items.running - 1, [outcome]: items[outcome] + 1 };
}

/** Returns the counts after the attempt has ended, and with it every running item. */
export const closeItems = (items: ItemSummary): ItemSummary => ({
  ...items,
  running: 0,
  failed: items.failed + items.running,
});
