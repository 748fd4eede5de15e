import { ChevronDown, ListX, Skull, Square } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useRun, useStopRun } from '../../api/queries/runs/run-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { Button } from '../../ui/controls/button.tsx';
import controls from '../../ui/controls/controls.module.css';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { showError } from '../../ui/overlay/show-error.ts';

/** Stops an active run: gracefully, with cleanup and handlers, or by force. */
export function StopButton({ run }: { readonly run: RunDetailView }) {
  const [isKilling, setKilling] = useState(false);
  const stop = useStopRun();
  const may = useCan('runs.stop');
  const ref = { name: run.name, dagRunId: run.dagRunId };
  const isQueued = run.status === 'queued';
  const isStopping = run.stopRequestedBy !== undefined || stop.isPending;
  const main = (
    <Button
      variant="danger"
      icon={isQueued ? ListX : Square}
      isDisabled={isStopping}
      unavailable={may.reason}
      onPress={() => stop.mutate(ref, { onError: showError })}
    >
      {isStopping ? 'Stopping' : isQueued ? 'Remove from queue' : 'Stop'}
    </Button>
  );
  if (isQueued || !may.allowed) return main;
  return (
    <div className={controls.splitButton}>
      {main}
      <ActionMenu
        label="Stop options"
        actions={[
          { id: 'kill', label: 'Kill now…', icon: Skull, isDanger: true, run: () => setKilling(true) },
        ]}
      >
        <AriaButton className={controls.splitMore} data-variant="danger" aria-label="More stop options">
          <ChevronDown size={16} aria-hidden="true" />
        </AriaButton>
      </ActionMenu>
      {isKilling && <KillDialog run={run} onClose={() => setKilling(false)} />}
    </div>
  );
}

/** Maximum number of names in a sentence. */
const maxNamed = 5;

function KillDialog({ run, onClose }: { readonly run: RunDetailView; readonly onClose: () => void }) {
  const stop = useStopRun();
  const { name, dagRunId } = run;
  const steps = useRun(name, dagRunId).data?.steps ?? run.steps;
  const running = steps.filter(({ status }) => status === 'running').map((step) => step.name);
  const more = running.length - maxNamed;
  return (
    <FormDialog
      title={`Kill this run of ${name}?`}
      submit={{ label: 'Kill now', icon: Skull, isDanger: true, isPending: stop.isPending }}
      error={stop.error}
      onSubmit={() => stop.mutate({ name, dagRunId, force: true }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {running.length === 0
          ? 'No steps are running. '
          : `${running.length === 1 ? 'The step' : 'The steps'} ${running.slice(0, maxNamed).join(', ')}${
              more > 0 ? ` and ${more} more` : ''
            } and all ${running.length === 1 ? 'its' : 'their'} processes are killed immediately, without cleanup. `}
        Running handlers are killed too, and no handlers start.
      </p>
    </FormDialog>
  );
}
