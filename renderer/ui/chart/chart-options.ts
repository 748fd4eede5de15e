import type UPlot from 'uplot';
import { formatHourAndMinute, formatTimeOfDay } from '../../format/time.ts';

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
export function makeOptions(options: ChartSetup): UPlot.Options {
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
        space: (_plot, _axis, from, until, width) => spaceOf((until - from) / width),
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
const spaceOf = (secondsOfPixel: number): number =>
  secondsOfPixel * minuteSpace > 30 ? minuteSpace : secondSpace;

/** Formats tick labels, with seconds where ticks are between minutes. */
function nameTimes(seconds: readonly number[]): string[] {
  const nameOf = seconds.every((second) => second % 60 === 0) ? formatHourAndMinute : formatTimeOfDay;
  return seconds.map((second) => nameOf(new Date(second * 1000).toISOString()));
}

/** Shows only the point of the peak. */
function peakMarker({ data }: UPlot): number[] {
  const values = (data[1] ?? []) as readonly (number | null | undefined)[];
  const max = Math.max(...values.map((value) => value ?? -Infinity));
  const maxIndex = values.indexOf(max);
  return maxIndex < 0 ? [] : [maxIndex];
}
