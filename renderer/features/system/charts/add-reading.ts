import type { OperationOutput } from '../../../../core/contract/operations.ts';
import type { ReadingView } from '../../../../core/contract/installation/system-changes.ts';

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
