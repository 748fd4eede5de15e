import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useProblemsPanel } from '../../../../renderer/editor/page/editor-notices.tsx';
import { EditorSessionProvider } from '../../../../renderer/editor/session/panel-state.ts';
import { startSession } from '../editor-harness.tsx';

test('the problems close once the last one is fixed, and stay open without any', async () => {
  const { session, stop } = startSession('steps:\n  - {name: one, comand: x}\n');
  const { result } = renderHook(useProblemsPanel, {
    wrapper: ({ children }) => <EditorSessionProvider value={session}>{children}</EditorSessionProvider>,
  });
  await waitFor(() => expect(session.view.analysis?.diagnostics.length).toBeGreaterThan(0));
  act(() => result.current[1](true));
  expect(result.current[0]).toBe(true);
  act(() => session.replaceText('steps:\n  - {name: one, command: x}\n', 'fix'));
  await waitFor(() => expect(session.view.analysis?.diagnostics).toEqual([]));
  await waitFor(() => expect(result.current[0]).toBe(false));
  act(() => result.current[1](true));
  expect(result.current[0]).toBe(true);
  stop();
});
