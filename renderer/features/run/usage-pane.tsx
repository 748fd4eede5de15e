import { Gauge } from 'lucide-react';
import { Suspense } from 'react';
import { AppError, toAppError } from '../../../core/base/errors.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { isActive } from '../../format/labels.ts';
import { useRunUsage } from '../../api/run-queries.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { NameValueTable, ValueSection } from './run-values.tsx';
import values from './run.module.css';
import { lazyComponent } from '../../base/lazy-component.ts';
import { formatBytes } from '../../../core/base/text.ts';

const UsageCharts = lazyComponent(async () => (await import('./usage-charts.tsx')).UsageCharts);

/** CPU and memory usage of the processes of a run. */
export function UsagePane({ run }: { readonly run: RunDetailView }) {
  const usage = useRunUsage(run, isActive(run));
  const error = usage.error === null ? undefined : toAppError(usage.error);
  if (run.startedAt === undefined)
    return (
      <EmptyState icon={Gauge} title="No usage data yet">
        <p>CPU and memory usage appear when the run starts.</p>
      </EmptyState>
    );
  if (error instanceof AppError && error.code === 'monitoring_off')
    return (
      <EmptyState icon={Gauge} title="Monitoring is off">
        <p>{error.message}</p>
      </EmptyState>
    );
  return (
    <QueryState query={usage} what="Resource usage">
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
      <EmptyState icon={Gauge} title={isActive(run) ? 'No usage data yet' : 'No usage data'}>
        <p>
          Usage is sampled every few seconds
          {isActive(run) ? '.' : '. Short runs may have no samples.'}
        </p>
      </EmptyState>
    );
  return (
    <ScrollArea className={values.valuesPane} aria-label="Resource usage">
      <ValueSection title="Processes" note="including sub-runs">
        <NameValueTable
          rows={[
            [
              'Now',
              now &&
                `${now.cpu.toFixed(1)}% CPU, ${formatBytes(now.memory)}, ${now.processes} ${now.processes === 1 ? 'process' : 'processes'}`,
            ],
            ['Peak CPU', `${peakCpu.toFixed(1)}% of all cores`],
            ['Peak memory', formatBytes(peakMemory)],
            ['CPU time', cpuSeconds !== undefined && `${cpuSeconds.toFixed(1)} s`],
          ]}
        />
      </ValueSection>
      {points.length === 0 ? (
        <p className={values.none}>Only peak values are kept for older runs.</p>
      ) : (
        <Suspense fallback={<div className={values.waiting} />}>
          <UsageCharts run={run} points={points} />
        </Suspense>
      )}
    </ScrollArea>
  );
}
