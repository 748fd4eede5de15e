import { FileX2, Hourglass, Workflow } from 'lucide-react';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { isFinal } from '../../../core/model/run/status.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import type { LogRef } from './reading/log-line-cache.ts';
import { OpenLog } from './open-log.tsx';
import type { LogStream } from './rows/line-rows.ts';
import { useLogOptions } from './use-log-options.ts';

interface LogPanelProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  /** The shown log; absent if the step has no attempt yet. */
  readonly address: LogRef | undefined;
  readonly streams: readonly LogStream[];
  /** The attempt and stream selectors. */
  readonly controls: React.ReactNode;
}

/** The log of a step, with selection, search and copy. */
export function LogPanel({ run, step, address, streams, controls }: LogPanelProps) {
  const { charset } = useLogOptions();
  if (!address) return <NoAttempt run={run} step={step} />;
  return <OpenLog key={JSON.stringify([address, streams, charset])} {...{ address, streams, controls }} />;
}

function NoAttempt({ run, step }: { readonly run: RunDetailView; readonly step: StepRunView }) {
  if (step.subRuns.length > 0) {
    return <EmptyState icon={Workflow} title="The output is in the sub-runs" />;
  }
  if (step.status === 'skipped') return <EmptyState icon={FileX2} title="Step skipped. No log." />;
  if (isFinal(step.status) || isFinal(run.status)) return <EmptyState icon={FileX2} title="Step not run" />;
  return <EmptyState icon={Hourglass} title="Step not started yet" />;
}
