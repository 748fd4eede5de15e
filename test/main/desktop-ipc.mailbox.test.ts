import { EventEmitter } from 'node:events';
import type { IpcMain } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import { WindowMailbox } from '../../main/desktop-ipc.ts';
import { frames } from './frames.ts';

class FakePage extends EventEmitter {
  readonly heard: unknown[] = [];
  send(_channel: string, message: { notice: { text: string } }): void {
    this.heard.push(message.notice.text);
  }
  isDestroyed(): boolean {
    return false;
  }
}

let listen: (event: unknown) => void;
let mailbox: WindowMailbox;
beforeEach(() => {
  const ipcMain = { on: (_channel: string, listener: (event: unknown) => void) => (listen = listener) };
  mailbox = new WindowMailbox(ipcMain as unknown as IpcMain);
});

const notify = (text: string): void => mailbox.notify({ kind: 'notice', notice: { tone: 'info', text } });
const open = (): FakePage => {
  const sender = new FakePage();
  listen({ senderFrame: frames.own, sender });
  return sender;
};

test('a listening page is notified immediately', () => {
  const page = open();
  notify('a');
  expect(page.heard).toEqual(['a']);
});

test('messages without a listener are queued for the next page, up to a limit of the newest', () => {
  for (let count = 0; count < 25; count += 1) notify(String(count));
  const page = open();
  expect(page.heard).toHaveLength(20);
  expect(page.heard.at(-1)).toBe('24');
  expect(open().heard).toEqual([]);
});

test.each(['did-navigate', 'render-process-gone', 'destroyed'])(
  'after %s the page no longer listens',
  (end) => {
    const page = open();
    page.emit(end);
    notify('later');
    expect([page.heard, mailbox.isPageListening]).toEqual([[], false]);
    expect(open().heard).toEqual(['later']);
  },
);
