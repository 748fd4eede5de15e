import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useSelectedKeys } from '../../../../renderer/editor/outline/outline-pane.tsx';
import { indexRows, listRows } from '../../../../renderer/editor/outline/outline-rows.ts';
import { EditorSessionProvider } from '../../../../renderer/editor/session/panel-state.ts';
import { startSession } from '../editor-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { analyze } from '../../../harness/workflow-texts.ts';

const text = 'steps:\n  - { name: a, command: x }\n  - { name: b, command: y }\n';
const index = indexRows(listRows(analyze(text, 'etl.yaml').outline).rows);
const step = (name: string) => ({ section: 'step', name }) as const;

// So that render ticks are sequential, as in a browser.
beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false));
afterEach(() => vi.unstubAllGlobals());

function show() {
  const { session, stop } = startSession(text);
  session.select([step('a')], 'outline');
  const { result } = renderHook(() => useSelectedKeys(index), {
    wrapper: ({ children }) => <EditorSessionProvider value={session}>{children}</EditorSessionProvider>,
  });
  return { session, stop, result };
}

it('shows a selection in the tree immediately', async () => {
  const { session, stop, result } = show();
  await waitUntilPasses(() => expect(result.current.selectedKeys).toEqual(['step:a']));
  session.select([step('b')], 'outline');
  await Promise.resolve();
  expect(result.current.selectedKeys).toEqual(['step:b']);
  stop();
});

it('shows a selection elsewhere in a later tick, or before the next key press in the tree', async () => {
  const { session, stop, result } = show();
  await waitUntilPasses(() => expect(result.current.selectedKeys).toEqual(['step:a']));
  session.select([step('b')], 'canvas');
  await Promise.resolve();
  expect(result.current.selectedKeys).toEqual(['step:a']);
  result.current.catchUp();
  expect(result.current.selectedKeys).toEqual(['step:b']);
  session.select([step('a')], 'canvas');
  await waitUntilPasses(() => expect(result.current.selectedKeys).toEqual(['step:a']));
  stop();
});
