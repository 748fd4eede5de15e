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

  /** @throws Error if the channel already has a handler */
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

/** The handler of a channel: only for delivering messages, since Electron has no API to read it. */
export function findInvokeHandler(ipc: IpcMain, channel: string): InvokeHandler | undefined {
  return handlersOf.get(ipc)?.get(channel);
}

export const ipcMain = new IpcMain();
