import { EventEmitter } from 'node:events';
import type { IpcMain, WebFrameMain } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  followChannel,
  followMessageChannel,
  itemsPerAcknowledgement,
  consumedChannel,
  unfollowChannel,
  type StreamObserver,
} from '../../core/contract/transport.ts';
import type { EngineApi } from '../../core/index.ts';
import { registerStreams } from '../../main/engine-ipc.ts';
import { frames } from './frames.ts';

class FakeContents extends EventEmitter {
  readonly sent: unknown[][] = [];
  destroyed = false;
  isDestroyed(): boolean {
    return this.destroyed;
  }
  send(...given: unknown[]): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    this.sent.push(given);
  }
}

interface Followed {
  readonly name: string;
  readonly observer: StreamObserver<unknown>;
  disposals: number;
}

let page: FakeContents;
let ipcMain: EventEmitter;
let followed: Followed[];
/** What the engine does when a stream is started, besides recording it. */
let onFollow: (stream: Followed) => void;

beforeEach(() => {
  page = new FakeContents();
  ipcMain = new EventEmitter();
  followed = [];
  onFollow = () => {};
  const api = {
    follow: (name: string, _input: unknown, observer: StreamObserver<unknown>) => {
      const stream: Followed = { name, observer, disposals: 0 };
      followed.push(stream);
      onFollow(stream);
      return () => void (stream.disposals += 1);
    },
  };
  registerStreams(ipcMain as unknown as IpcMain, api as unknown as EngineApi);
});

const follow = (id: unknown, from: WebFrameMain | null = frames.own, sender = page): void =>
  void ipcMain.emit(followChannel, { sender, senderFrame: from }, id, 'events.follow', {});
const unfollow = (id: unknown, from: WebFrameMain | null = frames.own, sender = page): void =>
  void ipcMain.emit(unfollowChannel, { sender, senderFrame: from }, id);
const open = (): number => followed.filter(({ disposals }) => disposals === 0).length;

describe('a stream', () => {
  test('sends its items to the page under the id chosen by the page', () => {
    follow(7);
    followed[0]?.observer.item({ id: 1 });
    expect(page.sent).toEqual([[followMessageChannel, 7, { kind: 'item', item: { id: 1 } }]]);
  });

  test('applies backpressure until the page has acknowledged its items', async () => {
    follow(1);
    const { observer } = followed[0]!;
    const take = (count: unknown, from = frames.own): void =>
      void ipcMain.emit(consumedChannel, { sender: page, senderFrame: from }, 1, count);
    const waits = (): boolean => observer.drained?.() !== undefined;
    for (let sent = 0; sent < 2 * itemsPerAcknowledgement; sent += 1) {
      expect(waits()).toBe(false);
      observer.item({ id: sent });
    }
    const drained = observer.drained?.();
    expect(drained).toBeInstanceOf(Promise);
    take('many');
    expect(waits()).toBe(true);
    take(itemsPerAcknowledgement);
    await drained;
    expect(waits()).toBe(false);
    for (let sent = 0; sent < 2 * itemsPerAcknowledgement; sent += 1) observer.item({ id: sent });
    const late = observer.drained?.();
    expect(late).toBeInstanceOf(Promise);
    unfollow(1);
    await late;
  });

  test('ends when the page unfollows it, and no other stream ends', () => {
    follow(1);
    follow(2);
    unfollow(1);
    unfollow(1);
    expect(followed.map(({ disposals }) => disposals)).toEqual([1, 0]);
  });

  test('reports its end, with and without a reason', () => {
    follow(1);
    follow(2);
    followed[0]?.observer.end();
    followed[1]?.observer.end({ code: 'not_found', message: 'gone' });
    expect(page.sent).toEqual([
      [followMessageChannel, 1, { kind: 'end' }],
      [followMessageChannel, 2, { kind: 'end', error: { code: 'not_found', message: 'gone' } }],
    ]);
  });

  test('leaves nothing behind when it is rejected immediately', () => {
    onFollow = ({ observer }) => observer.end({ code: 'bad_request', message: 'no' });
    follow(1);
    expect(page.sent).toHaveLength(1);
    page.emit('did-navigate');
    expect(followed[0]?.disposals).toBe(0);
  });

  test('replaces an earlier one with the same id', () => {
    follow(1);
    follow(1);
    expect(followed.map(({ disposals }) => disposals)).toEqual([1, 0]);
  });
});

describe('all streams of a page end', () => {
  test.each(['did-navigate', 'render-process-gone', 'destroyed'])('on %s', (event) => {
    follow(1);
    follow(2);
    page.emit(event);
    expect(open()).toBe(0);
  });

  test('on a reload, after which the new page may use the same ids', () => {
    follow(1);
    page.emit('did-navigate');
    follow(1);
    expect(followed.map(({ disposals }) => disposals)).toEqual([1, 0]);
    page.emit('did-navigate');
    expect(open()).toBe(0);
  });

  test('but those of another page continue', () => {
    const other = new FakeContents();
    follow(1);
    follow(1, frames.own, other);
    page.emit('destroyed');
    unfollow(1);
    followed[1]?.observer.item('still here');
    expect(followed.map(({ disposals }) => disposals)).toEqual([1, 0]);
    expect(other.sent).toHaveLength(1);
  });

  test('but none on a navigation within the page', () => {
    follow(1);
    page.emit('did-navigate-in-page');
    expect(open()).toBe(1);
  });
});

test('an item that arrives after the page is closed is dropped', () => {
  follow(1);
  page.destroyed = true;
  expect(() => followed[0]?.observer.item('late')).not.toThrow();
  expect(page.sent).toEqual([]);
});

test.each(Object.entries(frames).filter(([name]) => name !== 'own'))(
  'a frame that is %s can neither start nor end a stream',
  (_what, frame) => {
    follow(1, frame);
    expect(followed).toEqual([]);
    follow(1);
    unfollow(1, frame);
    expect(open()).toBe(1);
  },
);

test.each(['1', undefined, null, {}])('an invalid id such as %j starts nothing', (id) => {
  follow(id);
  expect(followed).toEqual([]);
});

test('a page with many streams adds one listener', () => {
  for (let id = 0; id < 50; id += 1) follow(id);
  expect(page.listenerCount('did-navigate')).toBe(1);
});
