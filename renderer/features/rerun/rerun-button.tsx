import { Columns2, Ellipsis, History, ListRestart, RotateCcw, StepForward, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useRestartRun } from '../../api/queries/runs/rerun-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/overlay/menu.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { CompareDialog } from '../compare/compare-dialog.tsx';
import { usePreviousRun } from '../compare/use-previous-run.ts';
import { DeleteRunDialog } from './delete-run-dialog.tsx';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';
import { RunAgainDialog } from './run-again-dialog.tsx';

interface RerunButtonProps {
  readonly run: RunDetailView;
  /** The workflow's file if it still exists; required to start the run with other parameters. */
  readonly fileName?: string;
  /** Further menu items. */
  readonly more?: readonly MenuAction[];
}

/** Rerun actions of a finished run; retry comes first unless it succeeded. */
export function RerunButton({ run, fileName, more = [] }: RerunButtonProps) {
  const [asking, setAsking] = useState<RetryStart>();
  const [open, setOpen] = useState<'again' | 'compare' | 'delete'>();
  const reschedule = useRestartRun();
  const may = useCan('runs.retry');
  const [mayDelete, mayRepeat] = [useCan('runs.delete').allowed, useCan('runs.reschedule').allowed];
  const previous = usePreviousRun(run);
  const [, navigate] = useLocation();
  const close = (): void => setOpen(undefined);
  const repeat = (): void =>
    reschedule.mutate(
      { name: run.name, fromRunId: run.dagRunId },
      {
        onSuccess: ({ name, dagRunId }) => navigate(paths.run(name, dagRunId)),
        onError: showError,
      },
    );
  const actions = listActions(run, {
    step: may.allowed ? setAsking : undefined,
    repeat: mayRepeat ? repeat : undefined,
    previous: previous && (() => navigate(paths.compare(previous, run))),
    compare: () => setOpen('compare'),
    remove: mayDelete ? () => setOpen('delete') : undefined,
  });
  const hasFailed = run.status !== 'succeeded';
  return (
    <>
      {fileName !== undefined && !run.parent && mayRepeat && (
        <Button
          variant={hasFailed ? 'secondary' : 'primary'}
          icon={ListRestart}
          onPress={() => setOpen('again')}
        >
          Rerun…
        </Button>
      )}
      {hasFailed && (
        <Button variant="primary" icon={RotateCcw} unavailable={may.reason} onPress={() => setAsking({})}>
          Retry…
        </Button>
      )}
      <ActionMenu label="Run actions" actions={[...actions, ...more]}>
        <IconButton label="More rerun options" icon={Ellipsis} isDisabled={reschedule.isPending} />
      </ActionMenu>
      {open === 'again' && fileName !== undefined && (
        <RunAgainDialog run={run} fileName={fileName} onClose={close} />
      )}
      {open === 'compare' && <CompareDialog run={run} onClose={close} />}
      {open === 'delete' && <DeleteRunDialog run={run} onClose={close} />}
      {asking && <RetryDialog run={run} start={asking} onClose={() => setAsking(undefined)} />}
    </>
  );
}

/** Actions of the menu items; an item without an action is omitted. */
interface Ways {
  readonly step: ((start: RetryStart) => void) | undefined;
  readonly repeat: (() => void) | undefined;
  readonly previous: (() => void) | undefined;
  readonly compare: () => void;
  readonly remove: (() => void) | undefined;
}

function listActions(run: RunDetailView, { step, repeat, previous, compare, remove }: Ways): MenuAction[] {
  const first = run.steps[0]?.name;
  const actions: (MenuAction | false | undefined)[] = [
    step !== undefined &&
      first !== undefined && {
        id: 'step',
        label: 'Retry from step…',
        icon: StepForward,
        run: () => step({ step: first, downstream: true }),
      },
    repeat !== undefined &&
      !run.parent && {
        id: 'repeat',
        label: 'Rerun with same parameters',
        icon: ListRestart,
        run: repeat,
      },
    previous && { id: 'previous', label: 'Compare with previous', icon: History, run: previous },
    { id: 'compare', label: 'Compare with…', icon: Columns2, run: compare },
    remove && {
      id: 'delete',
      label: 'Delete run…',
      icon: Trash2,
      isDanger: true,
      beginsGroup: true,
      run: remove,
    },
  ];
  return actions.filter((action) => typeof action === 'object');
}
