import { afterEach, expect, test, vi } from 'vitest';
import { followWhileVisible } from '../../../renderer/api/use-system-changes.ts';
import { FakeBridge } from '../renderer-harness.tsx';
import { FakeClock } from '../../harness/fakes.ts';

afterEach(() => void vi.restoreAllMocks());

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

test('streams only while the page is visible, and each new stream reports its connection', () => {
  const bridge = new FakeBridge({});
  const told: boolean[] = [];
  const stop = followWhileVisible(bridge, new FakeClock(), { topic: 'queues' }, (_, isFirst) =>
    told.push(isFirst),
  );
  const push = () => bridge.push('system.changes', { topic: 'queues' });
  push();
  push();
  expect(told).toEqual([true, false]);
  show('hidden');
  expect(bridge.followers('system.changes')).toBe(0);
  show('visible');
  show('visible');
  expect(bridge.followers('system.changes')).toBe(1);
  push();
  expect(told).toEqual([true, false, true]);
  stop();
  show('visible');
  expect(bridge.followers('system.changes')).toBe(0);
});
