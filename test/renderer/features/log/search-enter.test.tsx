import { act, renderHook, type RenderHookResult } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { LogDocument } from '../../../../renderer/features/log/log-document.ts';
import { type LinePosition, singleRows } from '../../../../renderer/features/log/line-rows.ts';
import { useLogSearch } from '../../../../renderer/features/log/search-bar.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('Enter before the first match is found selects that match once it is', async () => {
  const bridge = new FakeBridge({});
  const address = { name: 'etl', dagRunId: 'r1', step: 'load', attempt: 1 };
  const log = new LogDocument(bridge, { address, streams: ['stdout'], charset: undefined });
  const rows = singleRows('stdout', 100);
  const revealed: LinePosition[] = [];
  const {
    result,
  }: RenderHookResult<ReturnType<typeof useLogSearch>, unknown> = renderHook(
    () => useLogSearch(log, rows, (position) => revealed.push(position)),
    { wrapper: ({ children }) => <BridgeProvider value={bridge}>{children}</BridgeProvider> },
  );
  act(() => {
    result.current.open();
    result.current.setQuery({ query: 'error', regex: false, matchCase: false });
  });
  await act(() => result.current.step(true, 10));
  act(() => void vi.advanceTimersByTime(200));
  expect(bridge.followers('logs.search')).toBe(1);
  expect(revealed).toEqual([]);
  await act(async () => {
    const hits = [5, 20].map((line) => ({ line, offset: line, columns: [[0, 5]] }));
    bridge.push('logs.search', { from: 0, to: 100, offset: 100, size: 100, count: 2, hits });
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(revealed).toEqual([{ stream: 'stdout', line: 20 }]);
  expect(result.current.position).toBe(2);
});
