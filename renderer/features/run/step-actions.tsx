import { Tag, RotateCcw, StepForward } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { editableStatuses, isFulfilled, type EditableStatus } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { isActive, statusLabels } from '../../format/labels.ts';
import { useSetStepStatus } from '../../api/run-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { IconButton, Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { toStatusOptions } from '../../ui/status.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';
import styles from './timeline.module.css';

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

interface StepRerunProps {
  readonly run: RunDetailView;
  readonly step: string;
}

/** Reruns one step of a finished run, alone or with its dependents; unavailable while the run is active. */
export function StepRerun({ run, step }: StepRerunProps) {
  const [asking, setAsking] = useState<RetryStart>();
  const may = useCan('runs.retry');
  const reason = isActive(run) ? 'Available when the run has finished.' : may.reason;
  if (reason !== undefined) {
    return (
      <span className={styles.place}>
        <Button size="small" variant="quiet" icon={RotateCcw} unavailable={reason}>
          Rerun step…
        </Button>
      </span>
    );
  }
  return (
    <span className={styles.place}>
      <ActionMenu
        label={`Rerun ${step}`}
        actions={[
          { id: 'alone', label: 'Rerun this step…', icon: RotateCcw, run: () => setAsking({ step }) },
          {
            id: 'from',
            label: 'Rerun from here…',
            icon: StepForward,
            run: () => setAsking({ step, downstream: true }),
          },
        ]}
      >
        <Button size="small" variant="quiet" icon={RotateCcw}>
          Rerun step…
        </Button>
      </ActionMenu>
      {asking && <RetryDialog run={run} start={asking} onClose={() => setAsking(undefined)} />}
    </span>
  );
}

interface StepActionsProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
}

/** Actions on one step of a run. */
export function StepActions({ run, step }: StepActionsProps) {
  return (
    <span className={styles.place}>
      <SetStepStatusMenu run={run} step={step} />
      <StepRerun run={run} step={step.name} />
    </span>
  );
}
