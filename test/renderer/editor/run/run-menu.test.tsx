import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { EditorNotices } from '../../../../renderer/editor/page/editor-notices.tsx';
import { EditorCommandsProvider } from '../../../../renderer/editor/run/editor-commands.ts';
import type { OpenFile } from '../../../../renderer/editor/page/use-open-session.ts';
import { RunMenu } from '../../../../renderer/editor/run/run-menu.tsx';
import { RunFrame } from '../../../../renderer/editor/run/run-panels.tsx';
import { TestLoop } from '../../../../renderer/editor/run/test-loop.ts';
import { TestStoreProvider } from '../../../../renderer/editor/run/test-store.ts';
import { TestFollower, TestLoopProvider } from '../../../../renderer/editor/run/use-test-loop.ts';
import { EditorSessionProvider } from '../../../../renderer/editor/session/panel-state.ts';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { startSession } from '../editor-harness.tsx';

/** The notices and the run button of the editor; optionally with an error in the base configuration. */
function open(fault?: Diagnostic, text = 'steps:\n  - name: a\n    command: echo\n') {
  const { session, clock } = startSession(text);
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'admin'),
    'dags.validate': () => ({
      valid: false,
      errors: [],
      diagnostics: [],
      baseDiagnostics: fault ? [fault] : [],
    }),
    'runs.list': () => ({ dagRuns: [] }),
  });
  const notices: string[] = [];
  const ignore = (): void => undefined;
  const loop = new TestLoop({
    session,
    bridge,
    showProblem: ignore,
    notify: (reason) => notices.push(reason),
  });
  const commands = {
    ...{ run: loop, rename: ignore, listSteps: ignore },
    ...{ edit: ignore, editTriggers: ignore, showProblem: ignore },
    ...{ editWorkflow: ignore, toggleWorkflow: ignore, saveAndRun: () => notices.push('saved and run') },
  };
  const file = { isSaving: false, errors: 0, reloads: 0, problem: undefined, theirs: undefined };
  renderWith(
    bridge,
    <EditorSessionProvider value={session}>
      <EditorCommandsProvider value={{ ...commands, showText: ignore }}>
        <TestLoopProvider value={loop}>
          <TestStoreProvider value={loop.store}>
            <TestFollower session={session} />
            <EditorNotices
              open={{ session, sync: undefined, restoredAt: undefined } as unknown as OpenFile}
              file={file}
              onShowProblems={ignore}
            />
            <RunMenu />
            <RunFrame>{undefined}</RunFrame>
          </TestStoreProvider>
        </TestLoopProvider>
      </EditorCommandsProvider>
    </EditorSessionProvider>,
  );
  return { session, clock, bridge, loop, notices };
}

test('an error in the base configuration is shown with its position, and disables running by button and shortcut', async () => {
  const place = { file: '/home/base.yaml', line: 3, column: 5, path: '' };
  const { bridge, loop, notices } = open({ severity: 'error', message: 'wrong', ...place });
  const notice = await screen.findByText('Workflows cannot run until the base configuration is fixed.');
  expect(notice.parentElement!.textContent).toContain('/home/base.yaml:3:5: wrong');
  expect(screen.getByRole('button', { name: 'Copy path of base configuration' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Run' }).getAttribute('aria-disabled')).toBe('true');
  loop.runAll();
  expect(notices).toEqual(['Error in the base configuration on line 3: wrong']);
  expect(bridge.callsOf('runs.start')).toEqual([]);
});

test('the first run of a new workflow saves it', async () => {
  const { session, clock, notices } = open(undefined, 'steps: []\n');
  expect(screen.getByRole('button', { name: 'Run' })).toBeTruthy();
  act(() => session.dispatch({ changes: { from: 0, to: 10, insert: 'steps: [echo a]\n' } }));
  await act(async () => {
    clock.advance(1000);
    await Promise.resolve();
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Save and run' }));
  expect(notices).toEqual(['saved and run']);
});

test('the parameters of the last run are offered, also those of earlier sessions', async () => {
  const text = 'params: { WHO: world }\nsteps: [echo a]\n';
  const { bridge, loop } = open(undefined, text);
  const latestRun = { params: [{ name: 'WHO', value: 'moon' }] };
  bridge.answers['dags.get'] = () => ({ latestRun }) as never;
  act(() => loop.runAll());
  fireEvent.click(await screen.findByRole('button', { name: 'Use values of the last run' }));
  expect(screen.getByLabelText<HTMLInputElement>('WHO').value).toBe('moon');
});
