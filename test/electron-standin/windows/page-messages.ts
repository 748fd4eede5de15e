import type { EventEmitter } from 'node:events';
import type { HandlerDetails, IpcMainInvokeEvent } from 'electron';
import { createEvent } from '../app/electron-event.ts';
import { findInvokeHandler, ipcMain, type IpcMain } from '../ipc/ipc-main.ts';
import type { HostMessage, PageMessage } from '../ipc/messages.ts';
import { decodeFromWire, encodeForWire } from '../ipc/wire.ts';
import type { MainFrame } from './main-frame.ts';
import type { Page } from './page.ts';

type Invocation = Extract<PageMessage, { kind: 'invoke' }>;

/** The contents of the sending page. */
export interface MessageTarget extends EventEmitter {
  readonly ipc: IpcMain;
  readonly mainFrame: MainFrame;
  send(channel: string, ...args: unknown[]): void;
}

export interface MessageReactions {
  readonly preloadPath: string;
  /** The page called `window.open`, or a link targets another window. */
  openWindow(details: HandlerDetails): void;
  /** The document title has changed. */
  updateTitle(title: string): void;
}

/**
 * Passes messages of a page's preload world to the IPC listeners and handlers, with Electron's events and
 * messages.
 */
export function receivePageMessages(page: Page, target: MessageTarget, reactions: MessageReactions): void {
  page.on('message', (message, contextId) => {
    switch (message.kind) {
      case 'invoke':
        return void invoke(target, message).then((answer) => page.deliver(answer, contextId));
      case 'send':
        return emitMessage(target, message.channel, decodeFromWire(message.args) as unknown[]);
      case 'open':
        return reactions.openWindow(describeOpening(message));
      case 'title':
        return reactions.updateTitle(message.title);
      case 'preload-error':
        process.stderr.write(`Unable to load preload script: ${reactions.preloadPath}\n${message.message}\n`);
        target.emit('preload-error', createEvent({}), reactions.preloadPath, new Error(message.message));
    }
  });
}

function emitMessage(target: MessageTarget, channel: string, args: unknown[]): void {
  const event = createIpcEvent(target);
  target.emit('ipc-message', event, channel, ...args);
  target.ipc.emit(channel, event, ...args);
  ipcMain.emit(channel, event, ...args);
}

async function invoke(target: MessageTarget, { id, channel, args }: Invocation): Promise<HostMessage> {
  const handler = findInvokeHandler(target.ipc, channel) ?? findInvokeHandler(ipcMain, channel);
  if (!handler) {
    return { kind: 'reject', id, channel, error: `Error: No handler registered for '${channel}'` };
  }
  try {
    const event = createIpcEvent(target) as unknown as IpcMainInvokeEvent;
    const value = encodeForWire(await handler(event, ...(decodeFromWire(args) as unknown[])));
    return { kind: 'resolve', id, value };
  } catch (error) {
    const report = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Error occurred in handler for '${channel}': ${report}\n`);
    return { kind: 'reject', id, channel, error: String(error) };
  }
}

function createIpcEvent(target: MessageTarget): object {
  return createEvent({
    type: 'frame',
    processId: 1,
    frameId: 1,
    sender: target,
    senderFrame: target.mainFrame,
    ports: [],
    reply: (channel: string, ...args: unknown[]) => target.send(channel, ...args),
  });
}

function describeOpening({
  url,
  frameName,
  features,
}: Extract<PageMessage, { kind: 'open' }>): HandlerDetails {
  return {
    url,
    frameName,
    features,
    disposition: features === '' ? 'foreground-tab' : 'new-window',
    referrer: { url: '', policy: 'strict-origin-when-cross-origin' },
  };
}
