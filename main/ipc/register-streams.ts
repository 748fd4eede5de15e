import type { IpcMain, WebContents } from 'electron';
import type { Dispose } from '../../core/base/clock.ts';
import {
  followChannel,
  followMessageChannel,
  itemsPerAcknowledgement,
  consumedChannel,
  unfollowChannel,
} from '../../core/contract/transport/ipc-channels.ts';
import type { StreamInput, StreamName } from '../../core/contract/operations.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from './register-operations.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** The streams that pages currently follow. */
export interface LiveStreams {
  readonly count: number;
}

/** Handles the window's streams. All streams of a page end when it reloads, navigates or closes. */
export function registerStreams(ipcMain: Pick<IpcMain, 'on'>, api: EngineApi): LiveStreams {
  const open = new Set<PageStream>();
  const pages = new WeakMap<WebContents, PageStreams>();
  ipcMain.on(followChannel, (event, id: unknown, name: unknown, input: unknown) => {
    if (!isTrustedSender(event) || typeof id !== 'number') return;
    let page = pages.get(event.sender);
    if (page === undefined) pages.set(event.sender, (page = new PageStreams(event.sender, api, open)));
    page.follow(id, name as StreamName, input as StreamInput<StreamName>);
  });
  ipcMain.on(unfollowChannel, (event, id: unknown) => {
    if (isTrustedSender(event) && typeof id === 'number') pages.get(event.sender)?.stopFollowing(id);
  });
  ipcMain.on(consumedChannel, (event, id: unknown, count: unknown) => {
    if (!isTrustedSender(event) || typeof id !== 'number' || typeof count !== 'number') return;
    pages.get(event.sender)?.take(id, count);
  });
  return {
    get count() {
      return open.size;
    },
  };
}

/**
 * Maximum number of unacknowledged items before a fast producer waits; IPC messages are buffered until they are
 * read.
 */
const maxUnread = 2 * itemsPerAcknowledgement;

interface PageStream {
  dispose: Dispose;
  sent: number;
  taken: number;
  readWaiters: (() => void)[];
}

class PageStreams {
  readonly #contents: WebContents;
  readonly #api: EngineApi;
  readonly #open = new Map<number, PageStream>();
  /** Streams of all pages. */
  readonly #all: Set<PageStream>;

  constructor(contents: WebContents, api: EngineApi, all: Set<PageStream>) {
    this.#all = all;
    this.#contents = contents;
    this.#api = api;
    const endAll = (): void => this.#endAll();
    contents.on('did-navigate', endAll);
    contents.on('render-process-gone', endAll);
    contents.once('destroyed', endAll);
  }

  follow(id: number, name: StreamName, input: StreamInput<StreamName>): void {
    this.stopFollowing(id);
    const stream: PageStream = { dispose() {}, sent: 0, taken: 0, readWaiters: [] };
    this.#open.set(id, stream);
    this.#all.add(stream);
    stream.dispose = this.#api.follow(
      name,
      input,
      {
        item: (item) => {
          stream.sent += 1;
          this.#send(id, { kind: 'item', item });
        },
        end: (error) => {
          this.#open.delete(id);
          this.#all.delete(stream);
          this.#send(id, error === undefined ? { kind: 'end' } : { kind: 'end', error });
        },
        drained: () =>
          stream.sent - stream.taken < maxUnread
            ? undefined
            : new Promise((resolve) => stream.readWaiters.push(resolve)),
      },
      windowCaller,
    );
  }

  /** Called when the page has acknowledged items of a stream. */
  take(id: number, count: number): void {
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    stream.taken = count;
    if (stream.sent - stream.taken < maxUnread) notifyTaken(stream);
  }

  stopFollowing(id: number): void {
    const stream = this.#open.get(id);
    this.#open.delete(id);
    if (stream) this.#leave(stream);
  }

  #send(id: number, message: unknown): void {
    if (!this.#contents.isDestroyed()) this.#contents.send(followMessageChannel, id, message);
  }

  #endAll(): void {
    const streams = [...this.#open.values()];
    this.#open.clear();
    for (const stream of streams) this.#leave(stream);
  }

  #leave(stream: PageStream): void {
    this.#all.delete(stream);
    stream.dispose();
    notifyTaken(stream);
  }
}

function notifyTaken(stream: PageStream): void {
  for (const resolve of stream.readWaiters.splice(0)) resolve();
}
