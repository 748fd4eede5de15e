import { useQueryClient } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { ReadingView } from '../../../core/contract/system.ts';
import { type AppError, toAppError } from '../../../core/base/errors.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { resourceHistoryKey, useResourceHistory } from '../../api/system-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Chart, type TimeSpan } from '../../ui/chart.tsx';
import styles from './system.module.css';
import { formatBytes } from '../../../core/base/text.ts';

type History = OperationOutput<'services.resourceHistory'>;
type Series = History['cpu'];

/**
 * Appends a sample to the history.
 * @param spanMs length of the history; older samples are dropped
 */
export function appendSample(history: History, reading: ReadingView, spanMs: number): History {
  const from = Date.parse(reading.timestamp) - spanMs;
  const add = (series: Series, value: number | undefined): Series => {
    const last = series.at(-1);
    // The last requested history may already include it.
    if (value === undefined || (last && last.timestamp >= reading.timestamp)) return series;
    const recent = series.filter(({ timestamp }) => Date.parse(timestamp) >= from);
    return [...recent, { timestamp: reading.timestamp, value }];
  };
  return {
    ...history,
    cpu: add(history.cpu, reading.cpu),
    memory: add(history.memory, reading.memory),
    disk: add(history.disk, reading.disk),
    load: add(history.load, reading.load),
  };
}

/** Formats a load with two decimals, so that its width is stable: `6.50`; axis ticks are whole: `10`. */
export const formatLoad = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(2);

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
  const span = getSpan(memory.length > 0 ? memory : load, spanMs);
  const shared = { span, group: 'load' };
  const percent = (value: number): string => `${value.toFixed(value > 0 && value < 10 ? 1 : 0)}%`;
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
function getSpan(points: History['memory'], maxMs: number): TimeSpan | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  const until = Date.parse(last.timestamp);
  const measured = until - Date.parse(first.timestamp);
  return { from: until - Math.min(maxMs, Math.max(minMs, measured)), until };
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
