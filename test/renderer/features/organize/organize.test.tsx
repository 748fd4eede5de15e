import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { AppError } from '../../../../core/base/errors.ts';
import type { DagSummaryView } from '../../../../core/contract/dags.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { OrganizeDialogs } from '../../../../renderer/features/organize/organize-dialogs.tsx';
import { closeOrganizeDialog } from '../../../../renderer/features/organize/use-organize.ts';
import { WorkflowsPage } from '../../../../renderer/features/workflows/workflows-page.tsx';
import { ToastRegion } from '../../../../renderer/ui/toasts.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { systemInfo } from '../../../harness/samples.ts';
import { FakeBridge } from '../../renderer-harness.tsx';

const summary = (name: string, more: Partial<DagSummaryView> = {}): DagSummaryView => ({
  fileName: name,
  name,
  hash: 'a'.repeat(64),
  tags: [],
  schedule: { start: [], stop: [], restart: [] },
  suspended: false,
  stepCount: 1,
  valid: true,
  ...more,
});

type Answers = ConstructorParameters<typeof FakeBridge>[0];

async function open(answers: Answers) {
  const dags = [summary('backup', { tags: ['x'] }), summary('etl', { folder: 'team', tags: ['x', 'y'] })];
  const bridge = new FakeBridge({
    'dags.list': () => ({ dags, total: dags.length }),
    'runs.list': () => ({ dagRuns: [] }),
    'system.info': () => systemInfo(),
    'dags.references': () => ({
      references: [{ fileName: 'caller', name: 'caller', steps: ['load'], byPath: ['load'] }],
      revision: 'r1',
    }),
    ...answers,
  });
  const location = memoryLocation({ path: '/dags', record: true });
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <WorkflowsPage />
          <OrganizeDialogs />
        </Router>
        <ToastRegion />
      </QueryClientProvider>
    </BridgeProvider>,
  );
  await screen.findByRole('link', { name: 'etl' });
  return bridge;
}

beforeEach(() => closeOrganizeDialog());

test('a right click opens the actions, and rename updates references', async () => {
  const inputs: unknown[] = [];
  await open({
    'dags.rename': (input) => {
      inputs.push(input);
      if (inputs.length === 1)
        throw new AppError('conflict', 'changed', { details: { hash: 'b'.repeat(64) } });
      return { fileName: 'load', name: 'load', references: [] };
    },
  });
  fireEvent.contextMenu(screen.getByRole('link', { name: 'etl' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename…/ }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('Update 1 reference in caller');
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'load' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Rename' }));
  await within(dialog).findByText(/etl has changed on disk. Press Rename again/);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Rename' }));
  await screen.findByText('Renamed to load');
  expect(inputs).toMatchObject([
    { baseHash: 'a'.repeat(64) },
    {
      fileName: 'etl',
      newFileName: 'load',
      updateName: true,
      updateReferences: true,
      baseReferences: 'r1',
      baseHash: 'b'.repeat(64),
    },
  ]);
});

test('a move offers to update the paths in other workflows', async () => {
  const inputs: unknown[] = [];
  await open({
    'dags.move': (input) => {
      inputs.push(input);
      return { fileName: 'etl', folder: '', references: [] };
    },
  });
  fireEvent.contextMenu(screen.getByRole('link', { name: 'etl' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Move/ }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('Update 1 path in caller');
  fireEvent.click(within(dialog).getByRole('button', { name: /Folder$/ }));
  fireEvent.click(await screen.findByRole('option', { name: 'No folder' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Move' }));
  await screen.findByText('Moved etl to the workflow folder');
  expect(inputs).toEqual([
    { fileName: 'etl', folder: '', baseHash: 'a'.repeat(64), updateReferences: true, baseReferences: 'r1' },
  ]);
});

test('a deletion asks again for a changed file, and can be undone', async () => {
  const hashes: unknown[] = [];
  const restored: string[] = [];
  await open({
    'dags.delete': ({ fileName, baseHash }) => {
      hashes.push(baseHash);
      if (hashes.length === 1)
        throw new AppError('conflict', 'changed', { details: { hash: 'b'.repeat(64) } });
      return { fileName, name: fileName, stopped: 0 };
    },
    'dags.restore': ({ fileName }) => {
      restored.push(fileName);
      return { fileName, name: fileName, folder: '' };
    },
  });
  screen.getByRole('link', { name: 'backup' }).focus();
  fireEvent.keyDown(screen.getByRole('link', { name: 'backup' }), { key: 'Delete' });
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await within(dialog).findByText(/backup has changed on disk/);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await screen.findByText('Deleted backup');
  expect(hashes).toEqual(['a'.repeat(64), 'b'.repeat(64)]);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Restored backup');
  expect(restored).toEqual(['backup']);
});

test('runs are deleted when the undo is dismissed', async () => {
  const names: string[] = [];
  await open({
    'dags.delete': ({ fileName }) => ({ fileName, name: fileName, stopped: 0 }),
    'runs.deleteAll': ({ name }) => {
      names.push(name);
      return { removed: 2, errors: [] };
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Actions for backup' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Delete…/ }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Delete runs and logs, too' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  const toast = (await screen.findByText('Deleted backup')).parentElement!;
  expect(names).toEqual([]);
  fireEvent.click(within(toast).getByRole('button', { name: 'Dismiss' }));
  await screen.findByText('Deleted 2 runs');
  expect(names).toEqual(['backup']);
});

test('tags of several workflows: shared ones can be removed, and others stay', async () => {
  const inputs: unknown[] = [];
  await open({
    'dags.updateFields': ({ fileName, addTags, removeTags }) => {
      inputs.push([fileName, addTags, removeTags]);
      return { fileName, hash: 'c'.repeat(64) };
    },
  });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Tags…' }));
  const box = within(await screen.findByRole('dialog')).getByRole('textbox');
  expect(box).toHaveProperty('value', 'x');
  fireEvent.change(box, { target: { value: 'z' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitUntilPasses(() =>
    expect(inputs).toEqual([
      ['backup', ['z'], ['x']],
      ['etl', ['z'], ['x']],
    ]),
  );
});
