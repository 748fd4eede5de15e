import { Trash2, Columns2, Ellipsis, History, ListRestart, RotateCcw, StepForward } from 'lucide-react';
import { useLocation, Link } from 'wouter';
import { useState } from 'react';
import type { RunDetailView, RunSummaryView } from '../../../core/contract/run-views.ts';
import { useAllSubRuns, useDeleteRun, useWorkflowRuns, useRestartRun } from '../../api/run-queries.ts';
import { paths } from '../../navigation/address.ts';
import { FormDialog, Dialog } from '../../ui/dialog.tsx';
import { showToast, showError } from '../../ui/toasts.tsx';
import { shortenRunId } from '../../format/values.ts';
import { QueryState } from '../../ui/state.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import styles from './timeline.module.css';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

interface DeleteRunDialogProps {
  readonly run: RunDetailView;
  readonly onClose: () => void;
}

/** Confirms deleting a run from the history; it cannot be undone. */
export function DeleteRunDialog({ run, onClose }: DeleteRunDialogProps) {
  const [, navigate] = useLocation();
  const remove = useDeleteRun(run);
  const hasSubRuns = run.steps.some(({ subRuns }) => subRuns.length > 0);
  const below = useAllSubRuns(run, hasSubRuns).data?.length ?? 0;
  const others =
    below === 0 ? '' : ` and its ${below === 1 ? 'sub-run' : `${below.toLocaleString('en')} sub-runs`}`;
  return (
    <FormDialog
      title={`Delete this run of ${run.name}?`}
      submit={{ label: 'Delete run', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() =>
        remove.mutate(undefined, {
          onSuccess: ({ removed, errors }) => {
            onClose();
            if (errors.length > 0)
              showToast('error', `Run deleted, but some logs remain: ${errors.join('; ')}`);
            else showToast('info', removed === 1 ? 'Run deleted.' : `${removed} runs deleted.`);
            navigate(paths.runs);
          },
        })
      }
      onClose={onClose}
    >
      <p>
        <code>{run.dagRunId}</code>
        {`${others} will be deleted with all logs. The workflow is kept. This cannot be undone.`}
      </p>
    </FormDialog>
  );
}

/** Returns the previous run of the same workflow. */
function usePreviousRun(run: RunDetailView): RunSummaryView | undefined {
  const runs = useWorkflowRuns(run.name).data ?? [];
  return findPrevious(run, runs);
}

/** Returns the newest run created before a run. */
export const findPrevious = (
  run: Pick<RunSummaryView, 'dagRunId' | 'createdAt'>,
  runs: readonly RunSummaryView[],
): RunSummaryView | undefined =>
  runs
    .filter(({ dagRunId, createdAt }) => dagRunId !== run.dagRunId && createdAt <= run.createdAt)
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];

interface CompareDialogProps {
  readonly run: RunDetailView;
  readonly onClose: () => void;
}

/** Asks which recent run of the same workflow to compare a run with. */
function CompareDialog({ run, onClose }: CompareDialogProps) {
  const runs = useWorkflowRuns(run.name);
  return (
    <Dialog title={`Compare with another run of ${run.name}`} onClose={onClose}>
      <QueryState query={runs} what="The runs">
        {(all) => {
          const others = all.filter(({ dagRunId }) => dagRunId !== run.dagRunId);
          if (others.length === 0) return <p className={styles.none}>No other runs of {run.name}</p>;
          return (
            <ul className={styles.choices} aria-label="Runs to compare with">
              {others.map((other) => (
                <li key={other.dagRunId}>
                  <Link
                    href={
                      other.createdAt < run.createdAt ? paths.compare(other, run) : paths.compare(run, other)
                    }
                    onClick={onClose}
                  >
                    <StatusBadge status={other.status} />
                    <RelativeTime iso={other.startedAt ?? other.createdAt} />
                    <Duration startedAt={other.startedAt} finishedAt={other.finishedAt} />
                    <code title={other.dagRunId}>{shortenRunId(other.dagRunId)}</code>
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Dialog>
  );
}

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
        <RerunDialog run={run} fileName={fileName} onClose={close} />
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
