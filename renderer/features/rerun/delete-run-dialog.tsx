import { Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useAllSubRuns, useDeleteRun } from '../../api/queries/runs/run-queries.ts';
import { paths } from '../../app/paths.ts';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';

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
