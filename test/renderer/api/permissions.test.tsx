import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { operations } from '../../../core/contract/operations.ts';
import type { Role } from '../../../core/contract/operation.ts';
import { NewPassword } from '../../../core/contract/accounts.ts';
import { useCan } from '../../../renderer/api/session-queries.ts';
import { minLength } from '../../../renderer/features/account/user-menu.tsx';
import { RerunButton } from '../../../renderer/features/run/rerun-button.tsx';
import { StepRerun } from '../../../renderer/features/run/step-actions.tsx';
import { RunActions } from '../../../renderer/features/run/run-actions.tsx';
import { SuspendButton, SuspendToggle } from '../../../renderer/features/schedules/suspend-button.tsx';
import { RunButton } from '../../../renderer/features/workflow/workflow-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../renderer-harness.tsx';
import { makeRunView } from '../../harness/samples.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

const schedule = { fileName: 'etl', name: 'etl', suspended: false };
const failed = makeRunView({ status: 'failed' });

/** The accessible names of controls that change something. */
const controls: readonly (readonly [string, React.ReactNode])[] = [
  ['Run', <RunButton key="run" fileName="etl" workflow={undefined} />],
  ['Stop', <RunActions key="stop" run={makeRunView({ status: 'running' })} />],
  ['Retry…', <RerunButton key="retry" run={failed} />],
  ['Rerun step…', <StepRerun key="step" run={failed} step="fetch" />],
  ['Suspend the schedule of etl', <SuspendButton key="suspend" {...schedule} />],
  ['Suspend the schedule of etl', <SuspendToggle key="toggle" {...schedule} />],
];

function open(role: Role, content: React.ReactNode): FakeBridge {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'dags.list': () => ({ dags: [], total: 0 }),
  });
  renderWith(bridge, content);
  return bridge;
}

test.each(controls)(
  'a viewer sees why "%s" is disabled, and activating it does nothing',
  async (name, control) => {
    const bridge = open('viewer', control);
    await waitUntilPasses(() =>
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true'),
    );
    const button = screen.getByRole('button', { name });
    // A menu only has read-only entries: it omits what a viewer may not do.
    const others = screen.queryAllByRole('button', { name: 'More rerun options' });
    expect(screen.getAllByRole('button')).toEqual([button, ...others]);
    fireEvent.keyDown(document.body, { key: 'Tab' });
    button.focus();
    expect((await screen.findByRole('tooltip')).textContent).toContain(
      'Requires the operator role. Your role is viewer.',
    );
    const before = bridge.calls.length;
    fireEvent.click(button);
    expect(bridge.calls).toHaveLength(before);
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

test('the menu of a finished run offers a viewer nothing that changes it', async () => {
  open('viewer', <RerunButton run={failed} />);
  await waitUntilPasses(() =>
    expect(screen.getByRole('button', { name: 'Retry…' }).getAttribute('aria-disabled')).toBe('true'),
  );
  const more = screen.getByRole('button', { name: 'More rerun options' });
  fireEvent.keyDown(more, { key: 'Enter' });
  fireEvent.keyUp(more, { key: 'Enter' });
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Compare with…',
  ]);
});

test.each(controls)('an operator may use "%s"', async (name, control) => {
  const bridge = open('operator', control);
  await waitUntilPasses(() => expect(bridge.callsOf('auth.me')).toHaveLength(1));
  expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBeNull();
});

test.each([
  ['viewer', false],
  ['operator', false],
  ['manager', true],
  ['admin', true],
] as const)('the table of operations decides for a %s', async (role, may) => {
  expect(operations['runs.delete'].role).toBe('manager');
  open(role, <Probe />);
  expect(await screen.findByText(may ? 'may' : 'Requires the manager role', { exact: false })).toBeTruthy();
});

function Probe() {
  const { allowed, reason } = useCan('runs.delete');
  return <p>{allowed ? 'may' : reason}</p>;
}

test('the window and the contract agree on the minimum password length', () => {
  expect(NewPassword).toMatchObject({ minLength });
});
