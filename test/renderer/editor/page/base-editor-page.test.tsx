import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { BaseConfigView } from '../../../../core/contract/config.ts';
import { BaseEditorPage } from '../../../../renderer/editor/page/base-editor-page.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';
import { stubDocumentWorker } from '../editor-harness.tsx';

const view = (spec: string, hash: string): BaseConfigView => ({
  ...{ file: '/home/flows/base.yaml', exists: true, source: 'default' },
  ...{ spec, hash, diagnostics: [] },
});

beforeEach(stubDocumentWorker);

function open(spec: string): FakeBridge {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('mia', 'manager'),
    'config.base': () => view(spec, 'a'),
    'config.setBase': (input) => view(input.spec, 'b'),
  });
  renderWith(bridge, <BaseEditorPage />);
  return bridge;
}

test('the form edits the file, which is saved after a review', async () => {
  const bridge = open('# Ours\nhistRetentionDays: 9\n');
  const days = await screen.findByRole('textbox', { name: /History retention/ }, { timeout: 5000 });
  expect(screen.queryByRole('group', { name: 'Steps' })).toBeNull();
  fireEvent.change(days, { target: { value: '10' } });
  await act(async () => fireEvent.blur(days));
  fireEvent.keyDown(window, { key: 's', ctrlKey: true, shiftKey: true });
  expect(await screen.findByRole('dialog', { name: 'Review changes' })).toBeTruthy();
  fireEvent.click(screen.getAllByRole('button', { name: 'Save' }).at(-1)!);
  await waitUntilPasses(() =>
    expect(bridge.callsOf('config.setBase')).toEqual([
      { spec: '# Ours\nhistRetentionDays: 10\n', baseHash: 'a' },
    ]),
  );
});

test('a file with errors names them, and is not saved', async () => {
  const bridge = open('maxActiveRuns: many\n');
  expect(await screen.findByRole('button', { name: 'Problems: 1 error, 0 warnings' })).toBeTruthy();
  const name = await screen.findByRole('textbox', { name: /History retention/ }, { timeout: 5000 });
  fireEvent.change(name, { target: { value: '10' } });
  await act(async () => fireEvent.blur(name));
  await waitUntilPasses(() => expect(screen.getByText('Unsaved changes')).toBeTruthy());
  fireEvent.keyDown(window, { key: 's', ctrlKey: true });
  expect(await screen.findByText('Fix 1 error first. With errors, no workflow could run.')).toBeTruthy();
  expect(bridge.callsOf('config.setBase')).toEqual([]);
});
