import { RotateCcw, StepForward } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { isActive } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import controls from '../../ui/controls/controls.module.css';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { WithTooltip } from '../../ui/overlay/tooltip.tsx';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';
import styles from './step-rerun.module.css';

interface StepRerunProps {
  readonly run: RunDetailView;
  readonly step: string;
}

/** Runs one step of an ended run again, alone or with what depends on it; not while the run is active (seed 1). */
export function StepRerun({ run, step }: StepRerunProps) {
  const [asking, setAsking] = useState<RetryStart>();
  if (isActive(run)) {
    const reason = 'A step can run again when the run has ended.';
    return (
      <WithTooltip text={reason}>
        {/* Not `disabled`: the reason, which the tooltip tells, must be within reach of the keyboard. */}
        <button
          type="button"
          aria-disabled="true"
          className={`${controls.button} ${controls.quiet} ${controls.small} ${styles.unavailable}`}
        >
          <RotateCcw size={14} aria-hidden="true" />
          <span>Run step again…</span>
        </button>
      </WithTooltip>
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
