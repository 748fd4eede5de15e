import { RotateCcw, StepForward } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { isActive } from '../../format/status.ts';
import { useCan } from '../../api/session/permissions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';
import styles from './step-rerun.module.css';

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
