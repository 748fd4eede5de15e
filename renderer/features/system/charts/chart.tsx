import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreferences } from '../../../app/preferences.ts';
import { formatHourAndMinute, formatTimeOfDay } from '../../../format/time.ts';
import styles from '../system.module.css';
import { makeOptions } from './chart-options.ts';
import { toSeries, type Sample } from './to-series.ts';

interface ChartProps {
  readonly title: string;
  readonly note: string;
  readonly points: readonly Sample[];
  readonly format: (value: number) => string;
  /** Upper end of the axis; as high as the values when absent. */
  readonly most?: number;
}

/** A line over time. What the pointer is at is said above it, otherwise the newest value. */
export function Chart({ title, note, points, format, most }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [at, setAt] = useState<number>();
  const { theme } = usePreferences();
  const data = useRef<UPlot.AlignedData>([[], []]);
  data.current = toSeries(points);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const made = new UPlot(
      makeOptions({
        element,
        format,
        most,
        onPoint: setAt,
        timeOf: (seconds) => formatHourAndMinute(new Date(seconds * 1000).toISOString()),
      }),
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
  useEffect(() => plot.current?.setData(toSeries(points)), [points]);
  const shown = at === undefined ? points.at(-1) : points[at];
  return (
    <figure className={styles.chart}>
      <figcaption>
        <b>{title}</b>
        <span className={styles.note}>{note}</span>
        <span className={styles.value}>
          {at !== undefined && shown && (
            <span className={styles.note}>{formatTimeOfDay(shown.timestamp)}</span>
          )}
          {shown ? format(shown.value) : '–'}
        </span>
      </figcaption>
      <div ref={box} className={styles.plot} role="img" aria-label={describe(title, points, format)} />
    </figure>
  );
}

function describe(title: string, points: readonly Sample[], format: (value: number) => string): string {
  const values = points.map(({ value }) => value);
  if (values.length === 0) return `${title}: nothing measured yet`;
  return `${title}: now ${format(values.at(-1)!)}, at least ${format(Math.min(...values))}, at most ${format(Math.max(...values))}`;
}
