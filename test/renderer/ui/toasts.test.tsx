import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showToast } from '../../../renderer/ui/toasts.tsx';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';

test('a message stays with its page, errors and actions stay until closed', () => {
  vi.useFakeTimers();
  const { location } = renderWith(new FakeBridge({}), null, { path: '/dags/etl/edit' });
  act(() => {
    showToast('info', 'Saved.');
    showToast('info', 'Deleted etl', { label: 'Undo', run: () => undefined });
    showToast('error', 'Could not save.');
    vi.advanceTimersByTime(2_000);
  });
  act(() => location.navigate('/dags'));
  expect(screen.queryByText('Saved.')).toBeNull();
  expect(screen.getByText('Deleted etl')).toBeTruthy();
  expect(screen.getByText('Could not save.')).toBeTruthy();
  // The message of an action that leads to another page.
  act(() => {
    showToast('info', 'Renamed to etl-2');
    location.navigate('/dags/etl-2');
  });
  expect(screen.getByText('Renamed to etl-2')).toBeTruthy();
  vi.useRealTimers();
});
