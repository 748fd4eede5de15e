import type { ItemSummaryView } from '../../core/contract/runs/run-views.ts';

/** Returns the number of finished items, successful or not. */
export const countDone = ({ succeeded, failed }: ItemSummaryView): number => succeeded + failed;

/** Formats `37 of 120 done, 2 failed, 10 running`; without the total while it is unknown. */
export function describeItems(items: ItemSummaryView): string {
  const done = countDone(items).toLocaleString('en');
  const of = items.total === undefined ? '' : ` of ${items.total.toLocaleString('en')}`;
  const rest = (['failed', 'running'] as const)
    .filter((part) => items[part] > 0)
    .map((part) => `, ${items[part].toLocaleString('en')} ${part}`);
  return `${done}${of} done${rest.join('')}`;
}

/** Formats `37/120`, for compact places; `37` while the total is unknown. */
export const abbreviateItems = (items: ItemSummaryView): string =>
  items.total === undefined ? String(countDone(items)) : `${countDone(items)}/${items.total}`;
