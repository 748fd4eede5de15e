import type { ItemSummaryView } from '../../core/contract/runs/run-views.ts';

/** Items that have ended, well or not. */
export const countDone = ({ succeeded, failed }: ItemSummaryView): number => succeeded + failed;

/** `37 of 120 done, 2 failed, 10 running`; without the total while that is not known. */
export function describeItems(items: ItemSummaryView): string {
  const done = countDone(items).toLocaleString('en');
  const of = items.total === undefined ? '' : ` of ${items.total.toLocaleString('en')}`;
  const rest = (['failed', 'running'] as const)
    .filter((part) => items[part] > 0)
    .map((part) => `, ${items[part].toLocaleString('en')} ${part}`);
  return `${done}${of} done${rest.join('')}`;
}

/** `37/120` for a place without room; `37` while the total is not known. */
export const abbreviateItems = (items: ItemSummaryView): string =>
  items.total === undefined ? String(countDone(items)) : `${countDone(items)}/${items.total}`;
