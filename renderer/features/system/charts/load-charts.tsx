import { useQueryClient } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { type AppError, toAppError } from '../../../../core/base/errors.ts';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { useSystemChanges } from '../../../api/live/use-system-changes.ts';
import { resourceHistoryKey, useResourceHistory } from '../../../api/queries/operating/system-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { Chart } from '../../../ui/chart/chart.tsx';
import type { TimeSpan } from '../../../ui/chart/chart-options.ts';
import { appendSample } from './add-reading.ts';
import { formatLoad } from './format-load.ts';
import styles from '../system.module.css';

const durations = ['15m', '1h', '6h', '1d'] as const;
type Duration = (typeof durations)[number];
const words: Readonly<Record<Duration, string>> = { '15m': '15 min', '1h': '1 h', '6h': '6 h', '1d': '24 h' };

const hour = 3_600_000;
const minMs = 300_000;
const spans: Readonly<Record<Duration, number>> = {
  '15m': hour / 4,
  '1h': hour,
  '6h': 6 * hour,
  '1d': 24 * hour,
};

type History = OperationOutput<'services.resourceHistory'>;

/** CPU, memory, disk and load of the machine, while shown. */
export function ResourceCharts() {
  const [query, change] = useQueryParams();
  const requestedDuration = query.get('time') as Duration;
  const duration = durations.includes(requestedDuration) ? requestedDuration : '1h';
  const history = useResourceHistory(duration);
  const cache = useQueryClient();
  useSystemChanges('load', resourceHistoryKey, {
    onReading: (reading) =>
      void cache.setQueryData<History>(
        [...resourceHistoryKey, duration],
        (seen) => seen && appendSample(seen, reading, spans[duration]),
      ),
  });
  if (history.data === undefined && history.error && isOff(history.error)) return <Off />;
  return (
    <section className={styles.block} aria-label="System load">
      <div className={styles.blockHead}>
        <h2>System load</h2>
        <Segmented
          label="Time range"
          value={duration}
          choices={durations.map((value) => ({ value, label: words[value] }))}
          onChange={(time) => change({ time })}
        />
      </div>
      <QueryState query={history} what="The system load">
        {(data) => <Charts data={data} spanMs={spans[duration]} />}
      </QueryState>
    </section>
  );
}

function Charts({ data, spanMs }: { readonly data: History; readonly spanMs: number }) {
  const { cpu, memory, disk, load, machine } = data;
  const span = spanOf(memory.length > 0 ? memory : load, spanMs);
  const shared = { span, group: 'load' };
  const percent = (value: number): string => `${value.toFixed(value > 0 && value < 10 ? 1 : 0)} %`;
  return (
    <div className={styles.charts}>
      <Chart
        {...shared}
        title="CPU"
        note={`${machine.cores} cores`}
        points={cpu}
        format={percent}
        max={100}
      />
      <Chart
        {...shared}
        title="Memory"
        note={formatBytes(machine.memoryBytes)}
        points={memory}
        format={percent}
        max={100}
      />
      <Chart
        {...shared}
        title="Disk"
        note={machine.diskBytes === undefined ? 'home directory' : formatBytes(machine.diskBytes)}
        points={disk}
        format={percent}
        max={100}
      />
      <Chart {...shared} title="Load average" note="1 min" points={load} format={formatLoad} />
    </div>
  );
}

/**
 * Returns the measured part of the selected range, but at least a minimum, so that a few seconds do not fill
 * the chart.
 */
function spanOf(points: History['memory'], mostMs: number): TimeSpan | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  const until = Date.parse(last.timestamp);
  const measured = until - Date.parse(first.timestamp);
  return { from: until - Math.min(mostMs, Math.max(minMs, measured)), until };
}

const isOff = (cause: unknown): boolean => {
  const error: AppError = toAppError(cause);
  return error.code === 'monitoring_off';
};

function Off() {
  return (
    <EmptyState icon={Activity} title="Monitoring is off">
      <p>
        Monitoring is disabled in the configuration (<code>monitoring.retention</code>) or not available.
      </p>
    </EmptyState>
  );
}
