import type { BrowserWindow } from 'electron';
import type { Clock } from '../../core/base/clock.ts';

/** How long something waits for a page. */
const patienceMs = 3000;

/** Does something once, when the window has its page, or at once without a window; a page that does not come is not waited for long. */
export function whenLoaded(window: BrowserWindow | undefined, clock: Clock, begin: () => void): void {
  if (window === undefined) {
    begin();
    return;
  }
  const go = (): void => {
    giveUp();
    if (!window.isDestroyed()) window.webContents.off('did-finish-load', go);
    begin();
  };
  const giveUp = clock.after(patienceMs, go);
  window.webContents.once('did-finish-load', go);
}
