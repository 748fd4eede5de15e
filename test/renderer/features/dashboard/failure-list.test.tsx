import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FailureGroupView } from '../../../../core/contract/statistics.ts';
import { FailureList, sortFailures } from '../../../../renderer/features/dashboard/failure-list.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const now = Date.now();
const makeGroup = (cause: string, names: readonly string[]): FailureGroupView => ({
  cause,
  runs: names.length * 7,
  firstAt: new Date(now - 3.5 * 3_600_000).toISOString(),
  lastAt: new Date(now - 330_000).toISOString(),
  latestRun: { name: names[0]!, dagRunId: 'r1' },
  workflows: names.map((name) => ({ name, runs: 7 })),
});

test('failures with the same cause are one row with its workflows and first and last time', async () => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('anna', 'operator'),
    'runs.failures': () => ({
      failures: [makeGroup('exit code 127', ['a', 'b', 'c', 'd', 'e'])],
      isComplete: false,
    }),
  });
  renderWith(bridge, <FailureList dags={[]} />);
  const cause = await screen.findByRole('link', { name: 'exit code 127' });
  expect(cause.getAttribute('href')).toBe('/runs/a/r1');
  const row = within(cause.closest('li')!);
  expect(row.getByText(/35 times, last/).textContent).toBe('35 times, last 5 min ago');
  expect(row.getByText(/^first/).textContent).toBe('first 3 h ago');
  expect(row.getByText(/and 2 more/)).toBeDefined();
  expect(screen.getByText('Showing the latest 10,000 failed runs.')).toBeDefined();
});

test('failures whose workflows all succeed again come last', () => {
  const groups = [makeGroup('x', ['a', 'b']), makeGroup('y', ['c', 'a'])];
  expect(
    sortFailures(groups, new Set(['a', 'b'])).map(({ group, isResolved }) => [group.cause, isResolved]),
  ).toEqual([
    ['y', false],
    ['x', true],
  ]);
});
