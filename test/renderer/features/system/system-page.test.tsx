import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HealthProblems } from '../../../../renderer/features/system/system-page.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const at = '2026-01-01T00:00:00.000Z';

test('shows each problem of the engine with its code', async () => {
  const problem = { code: 'storage_full', message: 'The disk is full. Free some space.', since: at } as const;
  const health = { status: 'degraded' as const, problems: [problem], version: '1', uptime: 1, timestamp: at };
  renderWith(new FakeBridge({ 'system.health': () => health }), <HealthProblems />);
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toMatch(/^The disk is full\. Free some space\. \(storage_full, started .+\)$/);
});
