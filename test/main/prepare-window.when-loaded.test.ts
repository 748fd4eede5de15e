import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, test } from 'vitest';
import { whenLoaded } from '../../main/prepare-window.ts';
import { FakeClock } from '../harness/fakes.ts';

function start(hasWindow: boolean) {
  const clock = new FakeClock();
  const webContents = new EventEmitter();
  const window = { webContents, isDestroyed: () => false } as unknown as BrowserWindow;
  let started = 0;
  whenLoaded(hasWindow ? window : undefined, clock, () => void (started += 1));
  return { clock, webContents, count: () => started };
}

test('starts immediately without a window', () => {
  expect(start(false).count()).toBe(1);
});

test('starts once, after the page has loaded and sent its first requests', () => {
  const { clock, webContents, count } = start(true);
  clock.advance(1000);
  expect(count()).toBe(0);
  webContents.emit('did-finish-load');
  expect(count()).toBe(0);
  clock.advance(500);
  expect(count()).toBe(1);
  webContents.emit('did-finish-load');
  clock.advance(10_000);
  expect(count()).toBe(1);
});

test('does not wait forever', () => {
  const { clock, webContents, count } = start(true);
  clock.advance(3000);
  expect(count()).toBe(1);
  webContents.emit('did-finish-load');
  expect(count()).toBe(1);
});
