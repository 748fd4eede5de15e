import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { Chart, type TimeSpan } from '../../ui/chart.tsx';
import styles from './run.module.css';
import { formatBytes } from '../../../core/base/text.ts';

interface UsageChartsProps {
  readonly run: RunDetailView;
  /** At least one, in order. */
  readonly points: OperationOutput<'runs.usage'>['points'];
}

/** CPU and memory over the time of a run; the cursors of both charts are synchronized. */
export function UsageCharts({ run, points }: UsageChartsProps) {
  const span = getRunSpan(run, points.at(-1)!.timestamp);
  const isActive = run.finishedAt === undefined;
  const newest = points.at(-1)!;
  const formatCpu = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)}%`;
  const formatNote = (what: string, now: string): string => (isActive ? `${what}, now ${now}` : what);
  const shared = { span, group: `usage of ${run.name}/${run.dagRunId}`, withPeak: true } as const;
  return (
    <div className={styles.charts}>
      <Chart
        {...shared}
        title="CPU"
        note={formatNote('of all cores', formatCpu(newest.cpu))}
        points={points.map(({ timestamp, cpu }) => ({ timestamp, value: cpu }))}
        format={formatCpu}
      />
      <Chart
        {...shared}
        title="Memory"
        note={formatNote('resident', formatBytes(newest.memory))}
        points={points.map(({ timestamp, memory }) => ({ timestamp, value: memory }))}
        format={formatBytes}
      />
    </div>
  );
}

/**
 * Returns the range from start to end, or to the latest sample while active. A resumed run may have earlier
 * samples.
 */
function getRunSpan({ startedAt, createdAt, finishedAt }: RunDetailView, newest: string): TimeSpan {
  const end = Date.parse(newest);
  return {
    from: Date.parse(startedAt ?? createdAt),
    until: finishedAt === undefined ? end : Math.max(end, Date.parse(finishedAt)),
  };
}
