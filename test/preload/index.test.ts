import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import {
  droppedFilesChannel,
  followChannel,
  followMessageChannel,
  itemsPerAcknowledgement,
  consumedChannel,
  unfollowChannel,
  type PreloadApi,
} from '../../core/contract/transport.ts';

const { sent, renderer, exposed } = vi.hoisted(() => ({
  sent: [] as unknown[][],
  renderer: { on: (_channel: string, _listener: (...given: unknown[]) => void): void => {} },
  exposed: [] as unknown[],
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (_key: string, api: unknown) => exposed.push(api) },
  ipcRenderer: {
    on: (channel: string, listener: (...given: unknown[]) => void) => renderer.on(channel, listener),
    send: (...given: unknown[]) => sent.push(given),
    invoke: () => Promise.resolve(undefined),
  },
  webUtils: { getPathForFile: ({ name }: { name: string }) => (name === 'made' ? '' : `/home/ada/${name}`) },
}));

test('the page acknowledges stream items periodically, until it leaves or the stream ends', async () => {
  const main = new EventEmitter();
  renderer.on = (channel, listener) => void main.on(channel, listener);
  await import('../../preload/index.ts');
  const api = exposed[0] as PreloadApi;
  const told: unknown[] = [];
  const leave = api.follow('events.follow', {}, (message) => void told.push(message));
  api.follow('events.follow', {}, () => {});
  const tell = (id: number, kind: 'item' | 'end'): void =>
    void main.emit(followMessageChannel, {}, id, { kind, item: {} });
  const receipts = (): unknown[] => sent.filter(([channel]) => channel === consumedChannel);
  for (let items = 1; items < itemsPerAcknowledgement; items += 1) tell(1, 'item');
  expect(receipts()).toEqual([]);
  for (let items = 0; items <= itemsPerAcknowledgement; items += 1) tell(1, 'item');
  tell(2, 'item');
  expect(receipts()).toEqual([
    [consumedChannel, 1, itemsPerAcknowledgement],
    [consumedChannel, 1, 2 * itemsPerAcknowledgement],
  ]);
  expect(told).toHaveLength(2 * itemsPerAcknowledgement);
  leave();
  tell(2, 'end');
  for (let items = 0; items < 2 * itemsPerAcknowledgement; items += 1)
    for (const id of [1, 2]) tell(id, 'item');
  expect(receipts()).toHaveLength(2);
  expect(sent.map(([channel]) => channel).filter((channel) => channel !== consumedChannel)).toEqual([
    followChannel,
    followChannel,
    unfollowChannel,
  ]);
});

test('main receives the paths of dropped files as reported by the system', async () => {
  await import('../../preload/index.ts');
  const api = exposed[0] as PreloadApi;
  sent.length = 0;
  api.noteFiles([{ name: 'a.yaml' }, { name: 'made' }]);
  expect(sent).toEqual([[droppedFilesChannel, ['/home/ada/a.yaml', '']]]);
});
