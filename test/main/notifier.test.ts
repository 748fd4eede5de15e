import { EventEmitter } from 'node:events';
import type { Notification, NotificationConstructorOptions } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import { type DesktopNotification, Notifier } from '../../main/notifier.ts';

class FakeNotification extends EventEmitter {
  readonly options: NotificationConstructorOptions;
  isShown = false;
  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  show(): void {
    this.isShown = true;
  }
}

const failure: DesktopNotification = {
  title: 'etl failed',
  body: 'step load: exit code 1',
  address: '#/runs/etl/7',
  tone: 'error',
  retry: { name: 'etl', dagRunId: '7' },
};
let shown: FakeNotification[];
let done: string[];
let isSupported: boolean;
let notifier: Notifier;

beforeEach(() => {
  [shown, done, isSupported] = [[], [], true];
  notifier = new Notifier({
    isSupported: () => isSupported,
    create: (options) => {
      shown.push(new FakeNotification(options));
      return shown.at(-1) as unknown as Notification;
    },
    open: (address) => done.push(`open ${address}`),
    retry: ({ name, dagRunId }) => done.push(`retry ${name}/${dagRunId}`),
    showInWindow: ({ tone, text, address }) => done.push(`window ${tone} ${text} ${address}`),
    reportFailure: (what) => done.push(`report ${what}`),
  });
});

test('a click opens the page, and so does the first button; the second one retries', () => {
  notifier.show(failure);
  const [one] = shown;
  expect(one?.isShown).toBe(true);
  expect(one?.options.actions?.map(({ text }) => text)).toEqual(['Open', 'Retry']);
  one?.emit('click', {});
  one?.emit('action', { actionIndex: 0 });
  one?.emit('action', { actionIndex: 1 });
  one?.emit('action', {}, 1);
  expect(done).toEqual(['open #/runs/etl/7', 'open #/runs/etl/7', 'retry etl/7', 'retry etl/7']);
});

test('a run that cannot be retried has no retry button', () => {
  const { retry: _retry, ...rest } = failure;
  notifier.show(rest);
  expect(shown[0]?.options.actions?.map(({ text }) => text)).toEqual(['Open']);
});

const inWindow = 'window error etl failed: step load: exit code 1 #/runs/etl/7';

test('without desktop notifications, the window shows them', () => {
  isSupported = false;
  notifier.show(failure);
  expect(done).toEqual([inWindow]);
  expect(shown).toEqual([]);
});

test('after a rejected notification, the window shows that one and all later ones', () => {
  notifier.show(failure);
  shown[0]?.emit('failed', {}, 'not signed');
  notifier.show(failure);
  expect(done).toEqual(['report Desktop notifications are not available', inWindow, inWindow]);
  expect(shown).toHaveLength(1);
  expect(notifier.isOnDesktop).toBe(false);
});
