import type { ItemSummary } from '../../model/run/run.ts';

/** Returns `37/120 items, 2 failed, 10 running`, or `37 items …` while the total is unknown. */
export function formatItemCounts({ total, running, succeeded, failed }: ItemSummary): string {
  const done = succeeded + failed;
  const counts = [
    `${total === undefined ? done : `${done}/${total}`} ${(total ?? done) === 1 ? 'item' : 'items'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(running > 0 ? [`${running} running`] : []),
  ];
  return counts.join(', ');
}

/** Minimum number of items for progress lines. */
const manyItems = 20;

/** Whether another tenth of many items has just finished. */
export function hasReachedTenth({ total, succeeded, failed }: ItemSummary): boolean {
  const done = succeeded + failed;
  if (total === undefined || total < manyItems || done >= total) return false;
  return Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total);
}
