import type { MessageBoxOptions } from 'electron';
import type { DesktopSettings, DesktopSettingsChange } from '../../core/contract/desktop/settings.ts';
import type { DesktopNotification } from '../notify/notice.ts';

/** Dependencies of closing the window. */
export interface CloseDeps {
  settings(): DesktopSettings['life'];
  change(change: DesktopSettingsChange): void;
  hasTray(): boolean;
  isLeaving(): boolean;
  /** Shows a desktop notification, or calls back if the desktop does not support them. */
  notify(notice: DesktopNotification, onRefused: () => void): void;
  showMessage(options: MessageBoxOptions): void;
  quit(): void;
}

const stays = 'Schedules, queues and runs continue while the window is closed.';

/**
 * Handles the close button of the window: by setting, the app stays in the background, with a notification the
 * first time, or quits.
 */
export class CloseHandler {
  readonly #deps: CloseDeps;

  constructor(deps: CloseDeps) {
    this.#deps = deps;
  }

  /** Whether the window may close; otherwise quitting has started, which may ask for confirmation. */
  mayClose(): boolean {
    const { settings, isLeaving, quit } = this.#deps;
    if (isLeaving() || settings().onClose === 'tray') return true;
    quit();
    return false;
  }

  onClosed(): void {
    const { settings, change, isLeaving, notify, showMessage } = this.#deps;
    if (isLeaving() || settings().closeTold) return;
    change({ life: { closeTold: true } });
    const body = `${stays} ${this.#wayBack()}`;
    const notice = { title: 'Stepwright is still running', body, address: '', tone: 'info' } as const;
    notify(notice, () =>
      showMessage({ type: 'info', title: 'Stepwright', message: notice.title, detail: body, noLink: true }),
    );
  }

  /** A desktop may accept a tray icon without showing it, so starting the app again is always mentioned. */
  #wayBack(): string {
    return this.#deps.hasTray()
      ? 'Use the tray icon to open the window or quit. If you see no icon, start Stepwright again.'
      : 'No tray is available. Start Stepwright again to open the window. Quit from the menu or with Ctrl+Q.';
  }
}
