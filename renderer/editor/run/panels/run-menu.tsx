import { ChevronDown, CircleAlert, ListChecks, Play, Square, StepForward, Target } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { isActive } from '../../../format/status.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import controls from '../../../ui/controls/controls.module.css';
import { ActionMenu, type MenuAction } from '../../../ui/overlay/menu.tsx';
import { useEditorCommands } from '../../page/editor-commands.ts';
import { useSessionView } from '../../session/use-session.ts';
import { findRunBlocker } from '../model/run-blocker.ts';
import { useTestState } from '../test-store.ts';
import { useTestLoopContext } from '../use-test-loop.ts';

/** Runs the current text completely or in part, or does a dry run. */
export function RunMenu() {
  const loop = useTestLoopContext();
  const { showProblem } = useEditorCommands();
  const may = useCan('runs.start');
  const analysis = useSessionView((view) => view.analysis);
  const failure = useSessionView((view) => view.failure);
  const selected = useSessionView((view) => view.selection).findLast(
    ({ section, document }) => section === 'step' && document === undefined,
  );
  const baseConfigIssue = useTestState((state) => state.baseConfigIssue);
  const isStarting = useTestState((state) => state.isStarting);
  const isGoing = useTestState(({ test, run }) => test !== undefined && (run === undefined || isActive(run)));
  if (isGoing) return <StopButton />;
  const error = findRunBlocker({ analysis, failure }, baseConfigIssue);
  const hasParams = (analysis?.workflows[0]?.params.length ?? 0) > 0;
  const main = (
    <Button
      icon={Play}
      isPending={isStarting}
      unavailable={may.reason ?? error?.reason}
      onPress={loop.runAll}
    >
      {hasParams ? 'Run…' : 'Run'}
    </Button>
  );
  const problem = error?.problem;
  if (!may.allowed || (error && !problem)) return main;
  const actions: MenuAction[] = problem
    ? [{ id: 'problem', label: 'Show problem', icon: CircleAlert, run: () => showProblem(problem) }]
    : [
        { id: 'all', label: 'Run all steps', icon: Play, run: loop.runAll },
        ...(selected
          ? [
              {
                id: 'step',
                label: `Run ${selected.name} only`,
                icon: Target,
                run: () => loop.runStep(selected.name),
              },
              {
                id: 'upTo',
                label: `Run to ${selected.name}`,
                icon: StepForward,
                run: () => loop.runUpTo(selected.name),
              },
            ]
          : []),
        { id: 'dry', label: 'Dry run', icon: ListChecks, run: loop.dryRun },
      ];
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
