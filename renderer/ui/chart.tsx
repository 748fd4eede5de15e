import UPlot from 'uplot';
import { useEffect, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { formatHourAndMinute, formatTimeOfDay } from '../format/time.ts';
import { useResolvedTheme } from '../base/preferences.ts';
import styles from './chart.module.css';

/** A time range, in epoch milliseconds. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

interface ChartSetup {
  readonly element: HTMLElement;
  readonly format: (value: number) => string;
  readonly max?: number | undefined;
  readonly group?: string | undefined;
  readonly showsPeak: boolean;
  /** Called with the index of the point under the cursor. */
  readonly onPoint: (index: number | undefined) => void;
  /** Returns the current range of the time axis. */
  readonly readSpan: () => TimeSpan | undefined;
}

/** Width of a time label in pixels, with minutes and with seconds. */
const minuteSpace = 48;
const secondSpace = 70;

/** Builds the chart options, with the token colors of the current theme. */
function makeOptions(options: ChartSetup): UPlot.Options {
  const { element, format, max, group, showsPeak, onPoint } = options;
  // A token may be `light-dark(…)`, which only a color property resolves.
  const { color, borderColor, accentColor, backgroundColor, fontFamily } = getComputedStyle(element);
  const grid = { stroke: borderColor, width: 1 };
  const font = `12px ${fontFamily}`;
  const axis = { stroke: color, grid, ticks: { show: false }, font };
  return {
    width: element.clientWidth || 400,
    height: element.clientHeight || 140,
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7 },
      ...(group !== undefined && { sync: { key: group } }),
    },
    scales: {
      x: { time: true, range: (_plot, min, high) => toSeconds(options.readSpan()) ?? [min, high] },
      y: { range: (_plot, _least, high) => [0, max ?? Math.max(1, high * 1.15)] },
    },
    axes: [
      {
        ...axis,
        space: (_plot, _axis, from, until, width) => getSpace((until - from) / width),
        gap: 8,
        size: 30,
        values: (_plot, seconds) => nameTimes(seconds),
      },
      { ...axis, size: 60, space: 36, values: (_plot, values) => values.map(format) },
    ],
    series: [
      {},
      {
        stroke: accentColor,
        fill: backgroundColor,
        width: 1.5,
        points: showsPeak ? { size: 6, fill: accentColor, filter: peakMarker } : { show: false },
        spanGaps: false,
      },
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  };
}

const toSeconds = (span: TimeSpan | undefined): [number, number] | undefined =>
  span && [span.from / 1000, Math.max(span.until, span.from + 1000) / 1000];

/**
 * Returns the pixels between two ticks: beyond half a minute, ticks are at whole minutes, with shorter labels.
 */
const getSpace = (secondsPerPixel: number): number =>
  secondsPerPixel * minuteSpace > 30 ? minuteSpace : secondSpace;

/** Formats tick labels, with seconds where ticks are between minutes. */
function nameTimes(seconds: readonly number[]): string[] {
  const getName = seconds.every((second) => second % 60 === 0) ? formatHourAndMinute : formatTimeOfDay;
  return seconds.map((second) => getName(new Date(second * 1000).toISOString()));
}

/** Draws only the point of the peak. */
function peakMarker({ data }: UPlot): number[] {
  const values = (data[1] ?? []) as readonly (number | null | undefined)[];
  const max = Math.max(...values.map((value) => value ?? -Infinity));
  const maxIndex = values.indexOf(max);
  return maxIndex < 0 ? [] : [maxIndex];
}

/** A sample. */
interface Sample {
  readonly timestamp: string;
  readonly value: number;
}

/** Number of missing sample intervals from which on the line is interrupted. */
const gapFactor = 4;

/** Converts samples to chart data: seconds, values, and null in the middle of a gap. */
export function toSeries(points: readonly Sample[]): UPlot.AlignedData {
  const times = points.map(({ timestamp }) => Date.parse(timestamp) / 1000);
  const usual = medianStep(times);
  const xs: number[] = [];
  const ys: (number | null)[] = [];
  for (const [index, at] of times.entries()) {
    const before = times[index - 1];
    if (before !== undefined && at - before > usual * gapFactor) {
      xs.push((before + at) / 2);
      ys.push(null);
    }
    xs.push(at);
    ys.push(points[index]!.value);
  }
  return [xs, ys];
}

function medianStep(times: readonly number[]): number {
  const steps = times.slice(1).map((at, index) => at - times[index]!);
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Infinity;
}

/** Returns the highest sample, the first one of several. */
export const findPeak = (points: readonly Sample[]): Sample | undefined =>
  points.reduce<Sample | undefined>(
    (best, point) => (best === undefined || point.value > best.value ? point : best),
    undefined,
  );

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
  /** Marks the peak, and displays its time instead of the latest value when the cursor is elsewhere. */
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
      <div ref={box} className={styles.plot} role="img" aria-label={formatChart(title, points, format)} />
    </figure>
  );
}

/** Returns the value at an index; undefined in a gap. */
function readAt([times, values]: UPlot.AlignedData, index: number): Sample | undefined {
  const [seconds, value] = [times[index], values?.[index]];
  if (seconds === undefined || typeof value !== 'number') return undefined;
  return { timestamp: new Date(seconds * 1000).toISOString(), value };
}

function formatChart(title: string, points: readonly Sample[], format: (value: number) => string): string {
  const values = points.map(({ value }) => value);
  if (values.length === 0) return `${title}: no data yet`;
  return `${title}: now ${format(values.at(-1)!)}, minimum ${format(Math.min(...values))}, maximum ${format(Math.max(...values))}`;
}
