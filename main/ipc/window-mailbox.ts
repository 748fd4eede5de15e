import type { IpcMain, WebContents } from 'electron';
import type { DesktopMessage } from '../../core/contract/desktop/messages.ts';
import { desktopFollowChannel, desktopMessageChannel } from '../../core/contract/transport/ipc-channels.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** Maximum number of buffered messages; older ones are dropped. */
const maxCached = 20;

/** Messages from the desktop app to the page, buffered until it listens. */
export class WindowMailbox {
  readonly #pending: DesktopMessage[] = [];
  #page: WebContents | undefined;

  constructor(ipcMain: Pick<IpcMain, 'on'>) {
    ipcMain.on(desktopFollowChannel, (event) => {
      if (isTrustedSender(event)) this.#onMessage(event.sender);
    });
  }

  /** Whether a page is listening. */
  get isPageListening(): boolean {
    return this.#page !== undefined && !this.#page.isDestroyed();
  }

  notify(message: DesktopMessage): void {
    if (this.#page !== undefined && this.isPageListening) this.#page.send(desktopMessageChannel, message);
    else this.#pending.splice(0, Math.max(0, this.#pending.push(message) - maxCached));
  }

  #onMessage(page: WebContents): void {
    if (this.#page !== page) {
      const leave = (): void => {
        if (this.#page === page) this.#page = undefined;
      };
      page.once('did-navigate', leave);
      page.once('render-process-gone', leave);
      page.once('destroyed', leave);
    }
    this.#page = page;
    for (const message of this.#pending.splice(0)) this.notify(message);
  }
}
