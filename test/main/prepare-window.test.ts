import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { PreparedWindow } from '../../main/prepare-window.ts';

interface FakeWindow {
  readonly title: string | undefined;
  readonly loaded: string[];
  destroyed: boolean;
}

function start(): { windows: PreparedWindow; made: FakeWindow[] } {
  const made: FakeWindow[] = [];
  const windows = new PreparedWindow(({ title }: BrowserWindowConstructorOptions) => {
    const window = {
      title,
      loaded: [] as string[],
      destroyed: false,
      isDestroyed: () => window.destroyed,
      loadURL: (address: string) => {
        window.loaded.push(address);
        return address === 'missing' ? Promise.reject(new Error('no page')) : Promise.resolve();
      },
    };
    made.push(window);
    return window as unknown as BrowserWindow;
  });
  return { windows, made };
}

test('returns the prepared window once, then new ones', () => {
  const { windows, made } = start();
  windows.prepare({ title: 'prepared' });
  expect(windows.take({ title: 'first' })).toBe(made[0]);
  expect(windows.take({ title: 'second' })).toBe(made[1]);
  expect(made.map(({ title }) => title)).toEqual(['prepared', 'second']);
});

test('creates a window if none was prepared, or it was closed', () => {
  const { windows, made } = start();
  windows.take({ title: 'none prepared' });
  windows.prepare({ title: 'prepared' });
  made[1]!.destroyed = true;
  windows.take({ title: 'in its place' });
  expect(made.map(({ title }) => title)).toEqual(['none prepared', 'prepared', 'in its place']);
});

test('starts with the known page, which is not reloaded, and reports when it fails to load', async () => {
  const { windows, made } = start();
  windows.prepare({ title: 'prepared' }, 'page');
  expect(made[0]!.loaded).toEqual(['page']);
  const window = windows.take({});
  await windows.load(window, 'page');
  expect(made[0]!.loaded).toEqual(['page']);
  await windows.load(window, 'page');
  expect(made[0]!.loaded).toEqual(['page', 'page']);

  windows.prepare({ title: 'another' }, 'missing');
  await expect(windows.load(windows.take({}), 'missing')).rejects.toThrow('no page');
});

test('loads the requested page if it differs from the first one', async () => {
  const { windows, made } = start();
  windows.prepare({ title: 'prepared' }, 'page');
  await windows.load(windows.take({}), 'page#/runs');
  expect(made[0]!.loaded).toEqual(['page', 'page#/runs']);
});
