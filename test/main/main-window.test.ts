import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import { MainWindow } from '../../main/main-window.ts';
import { FakeClock } from '../harness/fakes.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

class FakeContents extends EventEmitter {
  url = '';
  getURL(): string {
    return this.url;
  }
}

class FakeWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  readonly options: BrowserWindowConstructorOptions;
  readonly calls: string[] = [];
  minimized = false;
  destroyed = false;
  failsToLoad = false;
  /** As with an unresponsive page. */
  stuck = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
  }

  loadURL(url: string): Promise<void> {
    this.calls.push(`load ${url}`);
    this.webContents.url = url;
    return this.failsToLoad ? Promise.reject(new Error('no page')) : Promise.resolve();
  }
  show(): void {
    this.calls.push('show');
  }
  focus(): void {
    this.calls.push('focus');
  }
  restore(): void {
    this.calls.push('restore');
  }
  maximize(): void {
    this.calls.push('maximize');
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  isMaximized(): boolean {
    return true;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  getNormalBounds() {
    return { x: 5, y: 6, width: 900, height: 700 };
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('closed');
  }
  close(): void {
    if (this.stuck) return;
    const event = { prevented: false, preventDefault: () => (event.prevented = true) };
    this.emit('close', event);
    if (event.prevented) return;
    this.destroyed = true;
    this.emit('closed');
  }
}

let made: FakeWindow[];
let guarded: unknown[];
let followed: unknown[];
let mayClose: boolean;
let closes: number;
let focused: number;
let failures: string[];
let stateFile: string;
let clock: FakeClock;

const build = (): MainWindow =>
  new MainWindow({
    createWindow: (options) => {
      made.push(new FakeWindow(options));
      return made.at(-1) as unknown as BrowserWindow;
    },
    load: (window, address) => window.loadURL(address),
    workAreas: () => [{ x: 0, y: 0, width: 1920, height: 1040 }],
    guard: (window) => guarded.push(window),
    preload: '/out/preload/index.cjs',
    stateFile,
    icon: '/icon.png',
    watchCrashes: (window) => followed.push(window),
    mayClose: () => mayClose,
    onClosed: () => (closes += 1),
    onFocus: () => (focused += 1),
    clock,
    reportFailure: (what, error) => failures.push(`${what}: ${String(error)}`),
  });

beforeEach(() => {
  [made, guarded, failures, followed] = [[], [], [], []];
  [mayClose, closes, focused] = [true, 0, 0];
  clock = new FakeClock();
  stateFile = path.join(makeTemporaryFolder(), 'desktop', 'window.json');
});

describe('opening', () => {
  test('navigates to a page, without reloading the current one', () => {
    const main = build();
    main.show('#/new');
    main.show('#/new');
    main.show('#/runs');
    expect(made[0]?.calls.filter((call) => call.startsWith('load'))).toEqual([
      expect.stringMatching(/#\/new$/),
      expect.stringMatching(/#\/runs$/),
    ]);
  });

  test('creates one guarded, isolated window and shows it when it is ready', () => {
    const main = build();
    main.show();
    expect(made[0]?.options).toMatchObject({
      show: false,
      width: 1280,
      height: 800,
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
    });
    expect(guarded).toEqual([made[0]]);
    expect(made[0]?.calls).toEqual(['load app://stepwright/index.html']);
    made[0]?.emit('ready-to-show');
    expect(made[0]?.calls).toContain('show');
  });

  test('focuses the only window the second time', () => {
    const main = build();
    main.show();
    made[0]!.minimized = true;
    main.show();
    main.show('#/runs');
    expect(made).toHaveLength(1);
    expect(made[0]?.calls.slice(1)).toEqual([
      'restore',
      'show',
      'focus',
      'restore',
      'show',
      'focus',
      'load app://stepwright/index.html#/runs',
    ]);
  });

  test('creates a new one after it was closed, at the requested page', () => {
    const main = build();
    main.show();
    made[0]?.close();
    expect(main.current).toBeUndefined();
    main.show('#/runs/etl/7');
    expect(made[1]?.calls[0]).toBe('load app://stepwright/index.html#/runs/etl/7');
  });

  test('a page that fails to load is reported', async () => {
    const main = build();
    main.show();
    made[0]!.failsToLoad = true;
    main.show('#/runs');
    await Promise.resolve();
    expect(failures).toEqual(['The page failed to load: Error: no page']);
  });
});

describe('bounds', () => {
  test('are saved on closing and restored the next time', () => {
    const main = build();
    main.show();
    made[0]?.close();
    expect(JSON.parse(readFileSync(stateFile, 'utf8'))).toEqual({
      bounds: { x: 5, y: 6, width: 900, height: 700 },
      maximized: true,
    });
    main.show();
    expect(made[1]?.options).toMatchObject({ x: 5, y: 6, width: 900, height: 700 });
    expect(made[1]?.calls).not.toContain('maximize');
    made[1]?.emit('ready-to-show');
    expect(made[1]?.calls).toContain('maximize');
  });

  test('that cannot be saved do not block closing', () => {
    writeFileSync(path.dirname(stateFile), 'a file in the place of the folder');
    const main = build();
    main.show();
    made[0]?.close();
    expect(main.current).toBeUndefined();
    expect(failures).toHaveLength(1);
  });
});

describe('closing', () => {
  test('is prevented where another action replaces it, but never for the app itself', async () => {
    const main = build();
    main.show();
    expect(followed).toEqual([made[0]]);
    mayClose = false;
    made[0]?.close();
    expect(main.current).toBeDefined();
    await main.close();
    expect(main.current).toBeUndefined();
    expect(closes).toBe(1);
    main.show();
    made[1]?.close();
    expect(main.current).toBeDefined();
  });

  test('a window viewed by the user is reported', () => {
    build().show();
    made[0]?.emit('focus');
    expect(focused).toBe(1);
  });
});

test('closing resolves when the window is closed, and does not wait long for an unresponsive page', async () => {
  const main = build();
  await main.close();
  main.show();
  made[0]!.stuck = true;
  const order: string[] = [];
  const closing = main.close().then(() => order.push('told'));
  clock.advance(1999);
  expect(made[0]?.destroyed).toBe(false);
  clock.advance(1);
  order.push('gone');
  await closing;
  expect(made[0]?.destroyed).toBe(true);
  expect(order).toEqual(['gone', 'told']);
});
