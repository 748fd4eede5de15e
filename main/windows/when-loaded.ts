import type { BrowserWindow } from 'electron';
import type { Clock } from '../../core/base/clock.ts';

/** How long something waits for a page. */
const patienceMs = 3000;
/** What a page asks for first comes first. */
const settleMs = 500;

/** Does something once, when the page of the window is there and has its answers, or at once without a window; a page that does not come is not waited for long. */
export function whenLoaded(window: BrowserWindow | undefined, clock: Clock, begin: () => void): void {
  if (window === undefined) {
    begin();
    return;
  }
  const go = (): void => {
    if (!window.isDestroyed()) window.webContents.off('did-finish-load', settle);
    begin();
  };
  const settle = (): void => {
    giveUp();
    clock.after(settleMs, go);
  };
  const giveUp = clock.after(patienceMs, go);
  window.webContents.once('did-finish-load', settle);
}
