import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SchedulerWarning } from '../../../../renderer/features/schedules/scheduler-notice.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

function show(status: 'active' | 'inactive' | 'unknown'): FakeBridge {
  const bridge = new FakeBridge({
    'services.scheduler': () => ({
      notes: [],
      schedulers: [
        { instanceId: 'a', host: 'h', pid: 1, port: 0, status, startedAt: '2026-11-24T00:00:00.000Z' },
      ],
    }),
  });
  renderWith(bridge, <SchedulerWarning />);
  return bridge;
}

test('a next time has a warning that leads to the schedule if no scheduler is active', async () => {
  show('unknown');
  const link = await screen.findByRole('link', { name: 'Scheduler not running' });
  expect(link.getAttribute('href')).toBe('/schedule');
});

test('there is no warning while a scheduler is active', async () => {
  const bridge = show('active');
  await waitFor(() => expect(bridge.callsOf('services.scheduler')).toHaveLength(1));
  expect(screen.queryByRole('link')).toBeNull();
});
