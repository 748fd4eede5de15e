import path from 'node:path';
import type { IpcMain } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import * as channels from '../../core/contract/transport.ts';
import { desktopCalls } from '../../core/contract/desktop-calls.ts';
import type { EngineApi } from '../../core/index.ts';
import {
  registerDesktop,
  type DesktopHandlers,
  registerDroppedFiles,
  WindowMailbox,
} from '../../main/desktop-ipc.ts';
import { registerLogFiles, registerOperations, registerStreams } from '../../main/engine-ipc.ts';
import { frames } from './frames.ts';

type Listener = (event: unknown, ...given: unknown[]) => unknown;
type Handler = (event: unknown, ...given: unknown[]) => Promise<unknown>;

/** Channels from main to the page. */
const toPage: readonly string[] = [channels.followMessageChannel, channels.desktopMessageChannel];
const listened = Object.values<unknown>(channels).filter(
  (value): value is string =>
    typeof value === 'string' && value.startsWith('stepwright:') && !toPage.includes(value),
);

let handlers: Map<string, Handler>;
let listeners: Map<string, Listener>;
let reached: string[];

/** All listeners of main, with handlers that record calls. */
beforeEach(() => {
  [handlers, listeners, reached] = [new Map(), new Map(), []];
  const ipcMain = {
    handle: (channel: string, listener: Handler) => void handlers.set(channel, listener),
    on: (channel: string, listener: Listener) => void listeners.set(channel, listener),
  } as unknown as IpcMain;
  const reach = (what: string) => (): never => {
    reached.push(what);
    throw new Error('reached');
  };
  const api = { call: reach('call'), follow: reach('follow') } as unknown as EngineApi;
  registerOperations(ipcMain, api);
  registerStreams(ipcMain, api);
  registerLogFiles(ipcMain, api, { openPath: reach('openPath'), showItemInFolder: reach('show') });
  registerDroppedFiles(ipcMain, { paths: [], add: reach('recent') });
  registerDesktop(
    ipcMain,
    Object.fromEntries(
      Object.keys(desktopCalls).map((name) => [name, reach(name)]),
    ) as unknown as DesktopHandlers,
  );
  void new WindowMailbox(ipcMain);
});

test('main listens to exactly the channels of the table', () => {
  expect([...handlers.keys(), ...listeners.keys()].toSorted()).toEqual(listened.toSorted());
});

const strangers = Object.entries(frames).filter(([name]) => name !== 'own');

describe.each(listened)('%s', (channel) => {
  test.each(strangers)('rejects %s', async (_name, senderFrame) => {
    const sent: unknown[] = [];
    const sender = {
      send: (...given: unknown[]) => sent.push(given),
      on() {},
      once() {},
      isDestroyed: () => false,
    };
    const given =
      channel === channels.desktopChannel
        ? ['settings.get', {}]
        : channel === channels.droppedFilesChannel
          ? [[path.join(import.meta.dirname, '../packaging/hello.yaml')]]
          : [1, 'system.info', {}];
    const answer = handlers.get(channel)?.({ senderFrame, sender }, ...given);
    if (answer !== undefined) expect(await answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    listeners.get(channel)?.({ senderFrame, sender }, ...given);
    expect([reached, sent]).toEqual([[], []]);
  });
});

test("the app's own page reaches the desktop app, with valid inputs only", async () => {
  const call = (name: unknown, input: unknown): Promise<unknown> =>
    handlers.get(channels.desktopChannel)!({ senderFrame: frames.own }, name, input);
  expect(await call('settings.get', {})).toMatchObject({ ok: false });
  expect(reached).toEqual(['settings.get']);
  for (const [name, input] of [
    ['toString', {}],
    [undefined, {}],
    ['settings.get', null],
    ['settings.change', { change: { notifications: { quietFrom: 'noon' } } }],
  ])
    expect(await call(name, input)).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^(not_found|bad_request)$/) },
    });
  expect(reached).toEqual(['settings.get']);
});
