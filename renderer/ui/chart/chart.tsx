import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useResolvedTheme } from '../../app/resolved-theme.ts';
import { formatTimeOfDay } from '../../format/time.ts';
import { makeOptions, type TimeSpan } from './chart-options.ts';
import styles from './chart.module.css';
import { findPeak, toSeries, type Sample } from './to-series.ts';

interface ChartProps {
  readonly title: string;
  readonly note: string;
  readonly points: readonly Sample[];
  readonly format: (value: number) => string;
  /** Upper end of the axis. Default: the maximum of the values. */
  readonly max?: number;
  /** Range of the time axis. Default: that of the samples. */
  readonly span?: TimeSpan | undefined;
  /** Charts in one group synchronize their cursors. */
  readonly group?: string;
  /** Marks the peak, and shows its time instead of the latest value when the cursor is elsewhere. */
  readonly showsPeak?: boolean;
}

/**
 * A line chart over time. The value at the cursor is shown above it, otherwise the latest value or the peak.
 */
export function Chart({ title, note, points, format, max, span, group, showsPeak = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [at, setAt] = useState<number>();
  const theme = useResolvedTheme();
  const latest = useRef(span);
  latest.current = span;
  const data = useRef<UPlot.AlignedData>([[], []]);
  data.current = toSeries(points);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const made = new UPlot(
      makeOptions({ element, format, max, group, showsPeak, onPoint: setAt, readSpan: () => latest.current }),
      data.current,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
    // Colors are read at creation, so the chart is recreated when the theme changes.
    // oxlint-disable-next-line react/exhaustive-deps -- changes of the other values are applied by setData
  }, [theme, max]);
  useEffect(() => plot.current?.setData(toSeries(points)), [points, span?.from, span?.until]);
  const pointed = at === undefined ? undefined : readAt(data.current, at);
  const shown = pointed ?? (showsPeak ? findPeak(points) : points.at(-1));
  return (
    <figure className={styles.chart}>
      <figcaption>
        <b>{title}</b>
        <span className={styles.note}>{note}</span>
        <span className={styles.value}>
          {shown && (pointed || showsPeak) && (
            <span className={styles.note}>
              {!pointed && 'peak at '}
              {formatTimeOfDay(shown.timestamp)}
            </span>
          )}
          {shown ? format(shown.value) : '–'}
        </span>
      </figcaption>
      <div ref={box} className={styles.plot} role="img" aria-label={describe(title, points, format)} />
    </figure>
  );
}

/** Returns the value at an index; undefined in a gap. */
function readAt([times, values]: UPlot.AlignedData, index: number): Sample | undefined {
  const [seconds, value] = [times[index], values?.[index]];
  if (seconds === undefined || typeof value !== 'number') return undefined;
  return { timestamp: new Date(seconds * 1000).toISOString(), value };
}

function describe(title: string, points: readonly Sample[], format: (value: number) => string): string {
  const values = points.map(({ value }) => value);
  if (values.length === 0) return `${title}: no data yet`;
  return `${title}: now ${format(values.at(-1)!)}, minimum ${format(Math.min(...values))}, maximum ${format(Math.max(...values))}`;
}
