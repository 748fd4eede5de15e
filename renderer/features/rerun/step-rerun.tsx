import { RotateCcw, StepForward } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { isActive } from '../../format/status.ts';
import { useMay } from '../../api/session/permissions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';
import styles from './step-rerun.module.css';

interface StepRerunProps {
  readonly run: RunDetailView;
  readonly step: string;
}

/** Runs one step of an ended run again, alone or with what depends on it; not while the run is active. */
export function StepRerun({ run, step }: StepRerunProps) {
  const [asking, setAsking] = useState<RetryStart>();
  const may = useMay('runs.retry');
  const reason = isActive(run) ? 'A step can run again when the run has ended.' : may.reason;
  if (reason !== undefined) {
    return (
      <span className={styles.place}>
        <Button size="small" look="quiet" icon={RotateCcw} unavailable={reason}>
          Run step again…
        </Button>
      </span>
    );
  }
  return (
    <span className={styles.place}>
      <ActionMenu
        label={`Run ${step} again`}
        actions={[
          { id: 'alone', label: 'Run this step again…', icon: RotateCcw, run: () => setAsking({ step }) },
          {
            id: 'from',
            label: 'Run again from here…',
            icon: StepForward,
            run: () => setAsking({ step, downstream: true }),
          },
        ]}
      >
        <Button size="small" look="quiet" icon={RotateCcw}>
          Run step again…
        </Button>
      </ActionMenu>
      {asking && <RetryDialog run={run} start={asking} onClose={() => setAsking(undefined)} />}
    </span>
  );
}
