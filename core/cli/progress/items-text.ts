import type { ItemSummary } from '../../model/run/run.ts';

/** `37/120 items, 2 failed, 10 running`; `37 items …` while nobody has said how many there are. */
export function itemsText({ total, running, succeeded, failed }: ItemSummary): string {
  const done = succeeded + failed;
  const parts = [
    `${total === undefined ? done : `${done}/${total}`} ${(total ?? done) === 1 ? 'item' : 'items'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(running > 0 ? [`${running} running`] : []),
  ];
  return parts.join(', ');
}

/** From this many items on, the lines of a run say from time to time how far they are. */
const manyItems = 20;

/** Whether another tenth of many items has just been done. */
export function reachesTenth({ total, succeeded, failed }: ItemSummary): boolean {
  const done = succeeded + failed;
  if (total === undefined || total < manyItems || done >= total) return false;
  return Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total);
}
