import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PingCheckView, PingView } from '../../../../core/contract/pings.ts';
import { PingsView } from '../../../../renderer/features/pings/pings-view.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const at = '2026-01-01T02:30:00.000Z';
const check: PingCheckView = {
  name: 'nightly-nas',
  status: 'failed',
  periodSec: 86_400,
  graceSec: 3600,
  tags: ['backup'],
  createdAt: at,
  lastPingAt: at,
};
const pings: PingView[] = [
  { id: '2', at, kind: 'missing', body: 'No ping arrived for 1d 1h.' },
  { id: '1', at, kind: 'fail', exitCode: 3, durationMs: 1500, body: 'copying\nno space left' },
];
const url = 'https://flows.example.com/ping/TOKEN';

function open(checks: PingCheckView[], role: 'viewer' | 'admin' = 'admin') {
  const bridge = new FakeBridge({
    'pings.list': () => ({ checks }),
    'pings.get': () => ({ ...check, url }),
    'pings.history': () => ({ pings }),
    'pings.create': () => ({ ...check, url }),
    'pings.update': () => ({ ...check, url }),
    'pings.delete': () => check,
    'auth.me': () => makeCurrentUser('ada', role),
  });
  renderWith(bridge, <PingsView />, { path: '/schedule?view=pings' });
  return bridge;
}

test('shows the status of a check, its URL, the end of a crontab line, and its pings with logs', async () => {
  open([check]);
  const detail = await screen.findByRole('region', { name: 'Ping check nightly-nas' });
  expect(within(detail).getByText('every 1d, grace 1h')).toBeTruthy();
  expect(await within(detail).findByText(url)).toBeTruthy();
  expect(within(detail).getByText(`&& curl -fsS -m 10 --retry 5 -o /dev/null ${url}`)).toBeTruthy();
  expect(await within(detail).findByText(/^Failed \(3\)|\(3\)/)).toBeTruthy();
  expect(within(detail).getByText('No ping arrived for 1d 1h.')).toBeTruthy();
});

test('says which role may see the URL', async () => {
  open([check], 'viewer');
  expect(await screen.findByText(/operator/)).toBeTruthy();
  expect(screen.queryByText(url)).toBeNull();
});

test('creates a check from a period or a cron expression, and rejects a period that is no duration', async () => {
  const bridge = open([]);
  expect(await screen.findByText('No ping checks yet')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'New ping check…' }));
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'nightly-nas' } });
  fireEvent.change(screen.getByLabelText('Period'), { target: { value: 'often' } });
  expect(screen.getByText(/^Use a duration of at least a minute/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Period'), { target: { value: '12h' } });
  fireEvent.change(screen.getByLabelText('Tags'), { target: { value: 'backup, nas' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create check' }));
  await waitFor(() =>
    expect(bridge.callsOf('pings.create')).toEqual([
      { name: 'nightly-nas', periodSec: 43_200, graceSec: 3600, tags: ['backup', 'nas'] },
    ]),
  );
});

test('deletes a check after a question', async () => {
  const bridge = open([check]);
  fireEvent.click(await screen.findByRole('button', { name: 'Delete…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete check' }));
  await waitFor(() => expect(bridge.callsOf('pings.delete')).toEqual([{ name: 'nightly-nas' }]));
});
