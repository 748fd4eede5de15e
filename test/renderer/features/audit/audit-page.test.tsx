import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AuditEntryView } from '../../../../core/contract/system.ts';
import { AuditPage } from '../../../../renderer/features/audit/audit-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';

const entry = {
  at: '2026-01-01T00:00:00.000Z',
  via: 'http',
  operation: 'runs.stop',
  target: 'etl/r1',
  outcome: 'done',
} as const;

const both = [
  { ...entry, id: 2, actor: 'http' },
  { ...entry, id: 1, actor: 'bob' },
];

function show(entries: readonly AuditEntryView[], role: 'admin' | 'viewer' = 'admin'): void {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'audit.list': () => ({ entries: [...entries], kept: { days: 365, entries: 200_000 } }),
  });
  renderWith(bridge, <AuditPage />);
}

test('shows the user, or the interface without sign-in', async () => {
  show(both);
  const table = within(await screen.findByRole('table', { name: 'Audit log' }));
  expect(await table.findByText('bob')).toBeTruthy();
  expect(table.getByText('over HTTP')).toBeTruthy();
});

test('describes an action, and its operation is available', async () => {
  show(both);
  const [words] = await screen.findAllByText('Stop a run');
  expect(words!.title).toBe('runs.stop');
  expect(screen.queryByText('runs.stop')).toBeNull();
});

test('hides the user column when the interface is enough, and shows it when a user is known', async () => {
  show([
    { ...entry, id: 2, actor: 'http' },
    { ...entry, id: 1, actor: 'window', via: 'ipc' },
  ]);
  await screen.findByText('Desktop app');
  expect(screen.queryByRole('columnheader', { name: 'Actor' })).toBeNull();
  cleanup();
  show([{ ...entry, id: 1, actor: 'ann', via: 'cli' }]);
  expect(await screen.findByRole('columnheader', { name: 'Actor' })).toBeTruthy();
});

test('describes why an action was rejected, and the code is available', async () => {
  show([
    { ...entry, id: 2, actor: 'http', outcome: 'max_run_reached' },
    { ...entry, id: 1, actor: 'http', outcome: 'of_another_release' },
  ]);
  const words = await screen.findByText('Too many active runs');
  expect(words.title).toBe('max_run_reached');
  expect(screen.getByText('of_another_release')).toBeTruthy();
});

test('explains to a user without permission why there is no trail', async () => {
  show(both, 'viewer');
  expect(await screen.findByText('Only admins can view the audit log')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('offers to clear filters without matches', async () => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'admin'),
    'audit.list': ({ actor }) => ({
      entries: actor === 'nobody' ? [] : [{ ...entry, id: 1, actor: 'bob' }],
      kept: { days: 365, entries: 200_000 },
    }),
  });
  renderWith(bridge, <AuditPage />);
  await screen.findByText('bob');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Actor' }), { target: { value: 'nobody' } });
  expect(await screen.findByText('No matching entries')).toBeTruthy();
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1)!);
  expect(await screen.findByText('bob')).toBeTruthy();
});

test('filters with matches can be cleared, and an empty trail says that it is new', async () => {
  show(both);
  await screen.findByText('bob');
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Actor' }), { target: { value: 'b' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(screen.getByRole('searchbox', { name: 'Actor' })).toHaveProperty('value', '');
  cleanup();
  show([]);
  expect(await screen.findByText('No entries yet')).toBeTruthy();
});
