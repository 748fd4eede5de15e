import { Gauge } from 'lucide-react';
import { Suspense } from 'react';
import { AppError, toAppError } from '../../../../core/base/errors.ts';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { isActive } from '../../../format/status.ts';
import { useRunUsage } from '../../../api/queries/runs/run-queries.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { FactTable, ValueSection } from '../values/fact-table.tsx';
import values from '../values/values.module.css';
import styles from './usage.module.css';
import { lazyPart } from '../../../loading/lazy-part.ts';

const UsageCharts = lazyPart(async () => (await import('./usage-charts.tsx')).UsageCharts);

/** CPU and memory of the processes of a run. */
export function UsagePane({ run }: { readonly run: RunDetailView }) {
  const usage = useRunUsage(run, isActive(run));
  const error = usage.error === null ? undefined : toAppError(usage.error);
  if (run.startedAt === undefined)
    return (
      <EmptyState icon={Gauge} title="Nothing has run yet">
        <p>CPU and memory are drawn here from its start on.</p>
      </EmptyState>
    );
  if (error instanceof AppError && error.code === 'monitoring_off')
    return (
      <EmptyState icon={Gauge} title="Nothing is measured">
        <p>{error.message}</p>
      </EmptyState>
    );
  return (
    <QueryState query={usage} what="The use of resources">
      {(data) => <Usage run={run} usage={data} />}
    </QueryState>
  );
}

interface UsageProps {
  readonly run: RunDetailView;
  readonly usage: OperationOutput<'runs.usage'>;
}

function Usage({ run, usage }: UsageProps) {
  const { now, points, cpuSeconds, peakCpu, peakMemory } = usage;
  if (points.length === 0 && peakMemory === 0)
    return (
      <EmptyState
        icon={Gauge}
        title={isActive(run) ? 'No process has been seen yet' : 'None of its processes was seen'}
      >
        <p>
          Usage is read every few seconds
          {isActive(run) ? ', so the first reading takes a moment.' : ': a short run may end in between.'}
        </p>
      </EmptyState>
    );
  return (
    <ScrollArea className={values.pane} aria-label="Resources of the run">
      <ValueSection title="Processes" note="of this run and of the runs its steps have started">
        <FactTable
          rows={[
            [
              'Now',
              now && `${now.cpu.toFixed(1)} % CPU, ${formatBytes(now.memory)}, ${now.processes} processes`,
            ],
            ['Most CPU', `${peakCpu.toFixed(1)} % of all cores`],
            ['Most memory', formatBytes(peakMemory)],
            ['CPU time', cpuSeconds !== undefined && `${cpuSeconds.toFixed(1)} s`],
          ]}
        />
      </ValueSection>
      {points.length === 0 ? (
        <p className={styles.none}>Its course is no longer kept: only the highest values are.</p>
      ) : (
        <Suspense fallback={<div className={styles.waiting} />}>
          <UsageCharts run={run} points={points} />
        </Suspense>
      )}
    </ScrollArea>
  );
}
