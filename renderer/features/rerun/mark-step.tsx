import { Tag } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { editableStatuses, isFulfilled, type EditableStatus } from '../../../core/model/run/status.ts';
import { useBridge } from '../../api/bridge.ts';
import { isActive } from '../../format/status.ts';
import { useSetStepStatus } from '../../api/queries/runs/run-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { statusLabels } from '../../format/status.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { toStatusOptions } from '../../ui/status/status-choices.tsx';

interface MarkStepProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
}

/** Sets the status of a step in a finished run manually, which determines what a retry does with it. */
export function SetStepStatusMenu({ run, step }: MarkStepProps) {
  const [isAsking, setAsking] = useState(false);
  const may = useCan('runs.setStepStatus');
  const reason = isActive(run) ? 'Available when the run has finished.' : may.reason;
  return (
    <>
      <IconButton
        label={`Mark ${step.name} as…`}
        icon={Tag}
        size="small"
        unavailable={reason}
        onPress={() => setAsking(true)}
      />
      {isAsking && <SetStatusDialog run={run} step={step} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Restores the previous status of a step, with its reason if the engine has one. */
function useUndoSetStatus({ name, dagRunId }: RunDetailView, step: string): (status: EditableStatus) => void {
  const bridge = useBridge();
  return (status) => {
    bridge.call('runs.setStepStatus', { name, dagRunId, step, status }).then(
      () => showToast('info', `${step} marked as ${statusLabels[status].toLowerCase()} again.`),
      (error: unknown) => showToast('error', `Could not change ${step}: ${toAppError(error).message}`),
    );
  };
}

const isEditable = (status: string): status is EditableStatus =>
  (editableStatuses as readonly string[]).includes(status);

function SetStatusDialog({ run, step, onClose }: MarkStepProps & { readonly onClose: () => void }) {
  const [status, setStatus] = useState<EditableStatus>(
    isFulfilled(step.status) ? 'not_started' : 'succeeded',
  );
  const mark = useSetStepStatus();
  const undo = useUndoSetStatus(run, step.name);
  const submit = (): void =>
    mark.mutate(
      { name: run.name, dagRunId: run.dagRunId, step: step.name, status },
      {
        onSuccess: ({ previous }) => {
          const text = `${step.name} marked as ${statusLabels[status].toLowerCase()}.`;
          showToast(
            'info',
            text,
            isEditable(previous) ? { label: 'Undo', run: () => undo(previous) } : undefined,
          );
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Mark ${step.name}`}
      submit={{
        label: `Mark as ${statusLabels[status].toLowerCase()}`,
        icon: Tag,
        isPending: mark.isPending,
        isBlocked: status === step.status,
      }}
      error={mark.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label="Status"
        isLabelled
        value={status}
        choices={toStatusOptions(editableStatuses)}
        onChange={setStatus}
      />
      <p>
        {`Current status: ${statusLabels[step.status].toLowerCase()}. The status of the run does not change. `}
        {isFulfilled(status)
          ? 'A retry skips this step and continues after it.'
          : 'A retry reruns this step and its dependents.'}
        {' You can undo this.'}
      </p>
    </FormDialog>
  );
}
