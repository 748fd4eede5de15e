import type { IpcMain, IpcMainInvokeEvent, WebContents, Shell } from 'electron';
import { AppError, toAppError, toErrorBody } from '../core/base/errors.ts';
import {
  type Envelope,
  type LogFileRef,
  operationChannel,
  followChannel,
  followMessageChannel,
  itemsPerAcknowledgement,
  consumedChannel,
  unfollowChannel,
  openLogFileChannel,
} from '../core/contract/transport.ts';
import type { OperationInput, OperationName, StreamInput, StreamName } from '../core/contract/operations.ts';
import type { Caller, EngineApi } from '../core/index.ts';
import type { Dispose } from '../core/base/clock.ts';
import { isTrustedSender } from './desktop-ipc.ts';

/** The user at the machine, as the caller of the desktop window's operations. */
export const windowCaller: Caller = { via: 'ipc', name: 'window' };

/** Tracks the operations that the window has requested. */
export interface RequestedOperations {
  /** Resolves when all operations requested so far have finished. */
  settled(): Promise<void>;
}

/**
 * Handles the window's operations. Replies are envelopes, because Electron only transfers the message of a
 * thrown error. The engine validates name and input, as on every transport.
 * @param onDone called after each successful operation
 */
export function registerOperations(
  ipcMain: Pick<IpcMain, 'handle'>,
  api: EngineApi,
  onDone: (name: OperationName) => void = () => {},
): RequestedOperations {
  const pending = new Set<Promise<unknown>>();
  const answer = async (
    event: IpcMainInvokeEvent,
    name: unknown,
    input: unknown,
  ): Promise<Envelope<unknown>> => {
    try {
      if (!isTrustedSender(event))
        throw new AppError('forbidden', 'Only the app’s own window may call the engine');
      const value = await api.call(
        name as OperationName,
        input as OperationInput<OperationName>,
        windowCaller,
      );
      onDone(name as OperationName);
      return { ok: true, value };
    } catch (error) {
      return { ok: false, error: toErrorBody(toAppError(error)) };
    }
  };
  ipcMain.handle(operationChannel, (event, name: unknown, input: unknown) => {
    const answering = answer(event, name, input);
    pending.add(answering);
    void answering.then(() => pending.delete(answering));
    return answering;
  });
  return {
    async settled() {
      await Promise.all(pending);
    },
  };
}

/** The streams that pages currently follow. */
interface LiveStreams {
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

/**
 * Returns the absolute path of a log file from the engine. An invalid address is rejected too, because the
 * engine validates the request.
 */
export async function findLogFile(api: EngineApi, address: LogFileRef): Promise<string> {
  // The request checks whether the file may be read.
  await api.call('logs.bytes', { ...address, offset: 0, length: 1 }, windowCaller);
  const { name, dagRunId, step, section = 'step', attempt, item, stream = 'stdout' } = address;
  const run = await api.call('runs.get', { name, dagRunId }, windowCaller);
  const node = [...run.steps, ...run.handlers].find((one) => one.name === step && one.section === section);
  const attempts = node?.attempts ?? [];
  const view = attempt === undefined ? attempts.at(-1) : attempts.find((one) => one.attempt === attempt);
  const files =
    item === undefined || !view ? view : await findItem(api, { ...address, attempt: view.attempt });
  if (!files) throw new AppError('not_found', `Log not found for step "${step}" of run ${dagRunId}`);
  return stream === 'stderr' ? files.stderrFile : files.stdoutFile;
}

async function findItem(api: EngineApi, address: LogFileRef) {
  const { name, dagRunId, step, section, attempt, item } = address;
  const after = { name, dagRunId, step, attempt, ...(section && { section }) };
  for (let cursor: string | undefined; ;) {
    const page = await api.call('runs.items', { ...after, ...(cursor && { cursor }) }, windowCaller);
    const node = page.items.find((one) => one.item === item);
    cursor = page.nextCursor;
    if (node || cursor === undefined) return node;
  }
}

/**
 * Opens log files in programs of the system. The window names an attempt and the engine returns its file, so
 * that no path from the page is ever opened.
 */
export function registerLogFiles(
  ipcMain: Pick<IpcMain, 'handle'>,
  api: EngineApi,
  shell: Pick<Shell, 'openPath' | 'showItemInFolder'>,
): void {
  ipcMain.handle(
    openLogFileChannel,
    async (event, address: unknown, target: unknown): Promise<Envelope<null>> => {
      try {
        if (!isTrustedSender(event))
          throw new AppError('forbidden', 'Only the app’s own window may open files');
        const file = await findLogFile(api, address as LogFileRef);
        if (target === 'folder') shell.showItemInFolder(file);
        else await openFile(shell, file);
        return { ok: true, value: null };
      } catch (error) {
        return { ok: false, error: toErrorBody(toAppError(error)) };
      }
    },
  );
}

async function openFile(shell: Pick<Shell, 'openPath'>, file: string): Promise<void> {
  const problem = await shell.openPath(file);
  if (problem !== '') throw new AppError('not_found', `Could not open ${file}: ${problem}`);
}

/** Gives the window access to the engine. @param onDone called after each successful operation */
export function registerWindowHandlers(
  { ipcMain, shell }: { readonly ipcMain: Pick<IpcMain, 'handle' | 'on'>; readonly shell: Shell },
  api: EngineApi,
  onDone: (name: OperationName) => void,
): { operations: RequestedOperations; streams: LiveStreams } {
  const operations = registerOperations(ipcMain, api, onDone);
  registerLogFiles(ipcMain, api, shell);
  return { operations, streams: registerStreams(ipcMain, api) };
}
