import { EventEmitter } from 'node:events';
import type { PowerMonitor } from 'electron';
import { expect, test } from 'vitest';
import { followPower, KeepAwake } from '../../main/open-system-services.ts';

test('waking checks the clock, shutting down quits the app, and both are logged', () => {
  const monitor = new EventEmitter();
  const done: string[] = [];
  followPower(
    monitor as unknown as PowerMonitor,
    { info: (text) => done.push(text), warn() {}, error() {} },
    () => done.push('look'),
    () => done.push('leave'),
  );
  monitor.emit('suspend');
  monitor.emit('resume');
  monitor.emit('shutdown');
  expect(done).toEqual(['System is going to sleep', 'System woke up', 'look', 'leave']);
});

test('the machine is kept awake by a single blocker while needed', () => {
  const active = new Set<number>();
  const kinds: string[] = [];
  let last = 0;
  const keepAwake = new KeepAwake({
    start: (kind) => {
      kinds.push(kind);
      active.add(++last);
      return last;
    },
    stop: (id) => active.delete(id),
  });
  keepAwake.set(false);
  keepAwake.set(true);
  keepAwake.set(true);
  expect([keepAwake.isOn, active.size, kinds]).toEqual([true, 1, ['prevent-app-suspension']]);
  keepAwake.set(false);
  keepAwake.set(false);
  expect([keepAwake.isOn, active.size]).toEqual([false, 0]);
});
