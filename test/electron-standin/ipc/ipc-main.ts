import { EventEmitter } from 'node:events';
import type { IpcMainInvokeEvent } from 'electron';

type InvokeHandler = (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown;

const handlersOf = new WeakMap<IpcMain, Map<string, InvokeHandler>>();

/** The main process's end of the IPC: messages as events, invocations as handlers. */
export class IpcMain extends EventEmitter {
  constructor() {
    super();
    this.setMaxListeners(0);
    handlersOf.set(this, new Map());
  }

  /** @throws Error when the channel has a handler already */
  handle(channel: string, handler: InvokeHandler): void {
    const handlers = handlersOf.get(this);
    if (handlers?.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    handlers?.set(channel, handler);
  }

  handleOnce(channel: string, handler: InvokeHandler): void {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel);
      return handler(event, ...args);
    });
  }

  removeHandler(channel: string): void {
    handlersOf.get(this)?.delete(channel);
  }
}

/** The handler of a channel: for the delivery of messages only, since Electron offers no way to read it. */
export function findInvokeHandler(ipc: IpcMain, channel: string): InvokeHandler | undefined {
  return handlersOf.get(ipc)?.get(channel);
}

export const ipcMain = new IpcMain();
