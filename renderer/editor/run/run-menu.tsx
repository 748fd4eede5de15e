import { useEffect } from 'react';
import { ChevronDown, CircleAlert, ListChecks, Play, Save, Square, StepForward, Target } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { showToast } from '../../ui/toasts.tsx';
import { isActive } from '../../format/labels.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import controls from '../../ui/controls.module.css';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { hasParams } from '../../features/start/param-values.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import { findRunBlocker, type TestLoop } from './test-loop.ts';
import { type EditorCommands, useEditorCommands } from './editor-commands.ts';
import { useTestState } from './test-store.ts';
import { useTestLoopContext } from './use-test-loop.ts';

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/**
 * Ctrl+Enter runs all steps, Ctrl+Shift+Enter up to the selected step, Ctrl+Alt+Enter saves and runs; with Command
 * on macOS. The listener runs before the code pane, which would insert a line, and before a focused button.
 */
export function useRunKeys({ run: loop, saveAndRun }: EditorCommands, session: EditorSession): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (isInDialog(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      if (event.altKey) return saveAndRun();
      if (!event.shiftKey) return loop.runAll();
      const step = session.view.selection.findLast(
        ({ section, document }) => section === 'step' && document === undefined,
      );
      if (step) loop.runUpTo(step.name);
      else showToast('info', 'Select a step of the main workflow first.');
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [loop, saveAndRun, session]);
}

/** Whether the saved file is a new one without steps: its first run saves it. */
function useIsNew(): boolean {
  const session = useEditorSession();
  const isDirty = useSessionView((view) => view.isDirty);
  return useCan('dags.updateSpec').allowed && isDirty && /^steps: \[\]\s*$/.test(session.saved.text);
}

/** The ways to run a text without errors. */
function useRunActions(loop: TestLoop): readonly MenuAction[] {
  const { saveAndRun } = useEditorCommands();
  const isDirty = useSessionView((view) => view.isDirty);
  const maySave = useCan('dags.updateSpec').allowed;
  const selected = useSessionView((view) => view.selection).findLast(
    ({ section, document }) => section === 'step' && document === undefined,
  )?.name;
  return [
    { id: 'all', label: 'Run all steps', icon: Play, keys: 'Ctrl+Enter', run: loop.runAll },
    ...(isDirty && maySave
      ? [{ id: 'save', label: 'Save and run', icon: Save, keys: 'Ctrl+Alt+Enter', run: saveAndRun }]
      : []),
    ...(selected === undefined
      ? []
      : [
          { id: 'step', label: `Run ${selected} only`, icon: Target, run: () => loop.runStep(selected) },
          { id: 'upTo', label: `Run to ${selected}`, icon: StepForward, run: () => loop.runUpTo(selected) },
        ]),
    { id: 'dry', label: 'Dry run', icon: ListChecks, run: loop.dryRun },
  ];
}

/** Runs the current text completely or in part, or does a dry run. */
export function RunMenu() {
  const loop = useTestLoopContext();
  const { showProblem, saveAndRun } = useEditorCommands();
  const isNew = useIsNew();
  const runs = useRunActions(loop);
  const may = useCan('runs.start');
  const analysis = useSessionView((view) => view.analysis);
  const failure = useSessionView((view) => view.failure);
  const baseConfigIssue = useTestState((state) => state.baseConfigIssue);
  const isStarting = useTestState((state) => state.isStarting);
  const isGoing = useTestState(({ test, run }) => test !== undefined && (run === undefined || isActive(run)));
  if (isGoing) return <StopButton />;
  const error = findRunBlocker({ analysis, failure }, baseConfigIssue);
  const isAsking = hasParams(analysis?.workflows[0]);
  const main = (
    <Button
      icon={Play}
      isPending={isStarting}
      unavailable={may.reason ?? error?.reason}
      onPress={isNew ? saveAndRun : loop.runAll}
    >
      {isNew ? 'Save and run' : isAsking ? 'Run…' : 'Run'}
    </Button>
  );
  const problem = error?.problem;
  if (!may.allowed || (error && !problem)) return main;
  const actions: readonly MenuAction[] = problem
    ? [{ id: 'problem', label: 'Show problem', icon: CircleAlert, run: () => showProblem(problem) }]
    : runs;
  return (
    <div className={controls.splitButton}>
      {main}
      <ActionMenu label="Run options" actions={actions}>
        <AriaButton className={controls.splitMore} data-variant="secondary" aria-label="More run options">
          <ChevronDown size={16} aria-hidden="true" />
        </AriaButton>
      </ActionMenu>
    </div>
  );
}

function StopButton() {
  const loop = useTestLoopContext();
  const may = useCan('runs.stop');
  const isStopping = useTestState(({ run }) => run?.stopRequestedBy !== undefined);
  return (
    <Button
      variant="danger"
      icon={Square}
      isDisabled={isStopping}
      unavailable={may.reason}
      onPress={() => void loop.stop()}
    >
      {isStopping ? 'Stopping' : 'Stop'}
    </Button>
  );
}
