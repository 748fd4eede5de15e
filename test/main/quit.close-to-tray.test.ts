import { beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../main/settings.ts';
import { CloseHandler } from '../../main/quit.ts';

let life: { onClose: 'tray' | 'quit'; closeTold: boolean };
let state: { tray: boolean; leaving: boolean; refuses: boolean };
let done: string[];
let closing: CloseHandler;

beforeEach(() => {
  life = { ...defaultSettings.life };
  state = { tray: true, leaving: false, refuses: false };
  done = [];
  closing = new CloseHandler({
    settings: () => life,
    change: (change) => void (life = { ...life, ...change.life }),
    hasTray: () => state.tray,
    isLeaving: () => state.leaving,
    notify: ({ body }, onRefused) => {
      if (state.refuses) onRefused();
      else done.push(`notify ${body}`);
    },
    showMessage: ({ detail }) => done.push(`tell ${detail}`),
    quit: () => done.push('quit'),
  });
});

test('closing the window keeps the app running, with a notice once', () => {
  for (let count = 0; count < 3; count += 1) {
    expect(closing.mayClose()).toBe(true);
    closing.onClosed();
  }
  expect(done).toEqual([expect.stringMatching(/^notify .*continue.*tray/)]);
});

test('without notifications a dialog says so; without a tray, it names other ways back', () => {
  state.refuses = true;
  state.tray = false;
  closing.onClosed();
  expect(done).toEqual([
    expect.stringMatching(/^tell .*No tray is available\. Start Stepwright again.*Ctrl\+Q/),
  ]);
});

test('the app can quit with its window, after asking', () => {
  life.onClose = 'quit';
  expect(closing.mayClose()).toBe(false);
  expect(done).toEqual(['quit']);
  state.leaving = true;
  expect(closing.mayClose()).toBe(true);
  closing.onClosed();
  expect(done).toEqual(['quit']);
});
