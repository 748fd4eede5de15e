import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useSeenTheme } from '../../app/seen-theme.ts';
import { formatTimeOfDay } from '../../format/time.ts';
import { makeOptions, type TimeSpan } from './chart-options.ts';
import styles from './chart.module.css';
import { findPeak, toSeries, type Sample } from './to-series.ts';

interface ChartProps {
  readonly title: string;
  readonly note: string;
  readonly points: readonly Sample[];
  readonly format: (value: number) => string;
  /** Upper end of the axis; as high as the values when absent. */
  readonly most?: number;
  /** What the axis of time is of; the readings when absent. */
  readonly span?: TimeSpan | undefined;
  /** Charts of one group show the same moment when the pointer is over one of them. */
  readonly group?: string;
  /** Mark the highest reading, and say at rest when it was, instead of the newest one. */
  readonly withPeak?: boolean;
}

/** A line over time. What the pointer is at is said above it, otherwise the newest value or the highest. */
export function Chart({ title, note, points, format, most, span, group, withPeak = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [at, setAt] = useState<number>();
  const theme = useSeenTheme();
  const latest = useRef(span);
  latest.current = span;
  const data = useRef<UPlot.AlignedData>([[], []]);
  data.current = toSeries(points);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const made = new UPlot(
      makeOptions({ element, format, most, group, withPeak, onPoint: setAt, readSpan: () => latest.current }),
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
    // Colours are read when it is made, so another theme makes another one.
    // oxlint-disable-next-line react/exhaustive-deps -- what the others change is handed over by setData
  }, [theme, most]);
  useEffect(() => plot.current?.setData(toSeries(points)), [points, span?.from, span?.until]);
  const pointed = at === undefined ? undefined : readAt(data.current, at);
  const shown = pointed ?? (withPeak ? findPeak(points) : points.at(-1));
  return (
    <figure className={styles.chart}>
      <figcaption>
        <b>{title}</b>
        <span className={styles.note}>{note}</span>
        <span className={styles.value}>
          {shown && (pointed || withPeak) && (
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

/** What is drawn at a place; nothing in a pause. */
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
