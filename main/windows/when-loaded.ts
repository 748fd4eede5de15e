import type { BrowserWindow } from 'electron';
import type { Clock } from '../../core/base/clock.ts';

/** Maximum wait for a page. */
const timeoutMs = 3000;
/** Delay, so that the page's first requests take precedence. */
const afterLoadDelayMs = 500;

/**
 * Calls back once, when the window's page has loaded and received its first responses, or immediately without a
 * window; a page that does not load is only waited for briefly.
 */
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
    abort();
    clock.after(afterLoadDelayMs, go);
  };
  const abort = clock.after(timeoutMs, go);
  window.webContents.once('did-finish-load', settle);
}
