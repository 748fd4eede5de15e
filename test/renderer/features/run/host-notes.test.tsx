import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { applyEvent } from '../../../../renderer/api/apply-event.ts';
import { HostNotes } from '../../../../renderer/features/run/run-views.tsx';
import { makeEventView, makeRunView } from '../../../harness/samples.ts';

const host = {
  kind: 'cli',
  hostname: 'box',
  pid: 12,
  since: '2026-01-01T00:00:00Z',
  lastSeenAt: '2026-01-01T00:00:00Z',
} as const;

test('shows nothing about a living host', () => {
  render(<HostNotes run={makeRunView({ status: 'running', host })} />);
  expect(screen.queryByRole('note')).toBeNull();
});

test('shows a lost host, and what happens next', () => {
  render(
    <HostNotes run={makeRunView({ status: 'running', host: { ...host, gone: 'the process has ended' } })} />,
  );
  expect(screen.getByRole('note').textContent).toMatch(
    /^Engine process 12 on box was lost: the process has ended\..*will recover the run\.$/,
  );
});

test('shows why a run makes no progress', () => {
  render(<HostNotes run={makeRunView({ status: 'running', host, waiting: 'The disk is full.' })} />);
  expect(screen.getByRole('alert').textContent).toBe('Run is waiting. The disk is full.');
});

test('shows a recovery as soon as its event arrives', () => {
  const before = makeRunView({ status: 'running', host: { ...host, gone: 'the process has ended' } });
  const words = { by: 'the server (process 13 on box)', from: 'the command (process 12 on box)' };
  const event = { type: 'run.recovered', ...words, reason: 'the process has ended', epoch: 2 } as const;
  render(<HostNotes run={applyEvent(before, makeEventView(9, event))} />);
  expect(screen.getAllByRole('note').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(
      /^Recovered .* by the server \(process 13 on box\) from the command \(process 12 on box\): the process has ended\.$/,
    ),
  ]);
});
