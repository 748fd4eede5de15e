import type { IpcMain, WebContents } from 'electron';
import type { Dispose } from '../../core/base/clock.ts';
import {
  followChannel,
  followMessageChannel,
  unfollowChannel,
} from '../../core/contract/transport/ipc-channels.ts';
import type { StreamInput, StreamName } from '../../core/contract/operations.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from './register-operations.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** Serves the window's streams. All of a page's streams end when it is reloaded, navigates or goes away. */
export function registerStreams(ipcMain: Pick<IpcMain, 'on'>, api: EngineApi): void {
  const pages = new WeakMap<WebContents, PageStreams>();
  ipcMain.on(followChannel, (event, id: unknown, name: unknown, input: unknown) => {
    if (!isTrustedSender(event) || typeof id !== 'number') return;
    let page = pages.get(event.sender);
    if (page === undefined) pages.set(event.sender, (page = new PageStreams(event.sender, api)));
    page.follow(id, name as StreamName, input as StreamInput<StreamName>);
  });
  ipcMain.on(unfollowChannel, (event, id: unknown) => {
    if (isTrustedSender(event) && typeof id === 'number') pages.get(event.sender)?.unfollow(id);
  });
}

class PageStreams {
  readonly #contents: WebContents;
  readonly #api: EngineApi;
  readonly #open = new Map<number, Dispose>();

  constructor(contents: WebContents, api: EngineApi) {
    this.#contents = contents;
    this.#api = api;
    const endAll = (): void => this.#endAll();
    contents.on('did-navigate', endAll);
    contents.on('render-process-gone', endAll);
    contents.once('destroyed', endAll);
  }

  follow(id: number, name: StreamName, input: StreamInput<StreamName>): void {
    this.unfollow(id);
    let ended = false;
    const dispose = this.#api.follow(
      name,
      input,
      {
        item: (item) => this.#send(id, { kind: 'item', item }),
        end: (error) => {
          ended = true;
          this.#open.delete(id);
          this.#send(id, error === undefined ? { kind: 'end' } : { kind: 'end', error });
        },
      },
      windowCaller,
    );
    if (!ended) this.#open.set(id, dispose);
  }

  unfollow(id: number): void {
    this.#open.get(id)?.();
    this.#open.delete(id);
  }

  #send(id: number, message: unknown): void {
    if (!this.#contents.isDestroyed()) this.#contents.send(followMessageChannel, id, message);
  }

  #endAll(): void {
    for (const dispose of this.#open.values()) dispose();
    this.#open.clear();
  }
}
