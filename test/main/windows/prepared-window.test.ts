import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { PreparedWindow } from '../../../main/windows/prepared-window.ts';

interface FakeWindow {
  readonly title: string | undefined;
  destroyed: boolean;
}

function start(): { windows: PreparedWindow; made: FakeWindow[] } {
  const made: FakeWindow[] = [];
  const windows = new PreparedWindow(({ title }: BrowserWindowConstructorOptions) => {
    const window = { title, destroyed: false, isDestroyed: () => window.destroyed };
    made.push(window);
    return window as unknown as BrowserWindow;
  });
  return { windows, made };
}

test('gives the prepared window once, then new ones', () => {
  const { windows, made } = start();
  windows.prepare({ title: 'prepared' });
  expect(windows.take({ title: 'first' })).toBe(made[0]);
  expect(windows.take({ title: 'second' })).toBe(made[1]);
  expect(made.map(({ title }) => title)).toEqual(['prepared', 'second']);
});

test('makes a window when none was prepared, or it is gone', () => {
  const { windows, made } = start();
  windows.take({ title: 'none prepared' });
  windows.prepare({ title: 'prepared' });
  made[1]!.destroyed = true;
  windows.take({ title: 'in its place' });
  expect(made.map(({ title }) => title)).toEqual(['none prepared', 'prepared', 'in its place']);
});
