import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { formatDuration } from '../../format/time.ts';
import { IconButton } from '../../ui/button.tsx';
import styles from './timeline.module.css';

const tickChoices = [
  1, 2, 5, 10, 20, 50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
];
const targetTickCount = 6;

/** Returns the tick distance for an axis of this length, for about six round ticks; in milliseconds. */
export const chooseTick = (span: number): number =>
  tickChoices.find((choice) => span / choice <= targetTickCount) ?? tickChoices.at(-1)!;

/** Formats a tick label, as precise as the tick distance requires. */
export function labelTick(offset: number, tick: number): string {
  if (offset === 0) return '0';
  if (tick < 100) return `${offset} ms`;
  if (tick < 1_000) return `${(offset / 1_000).toFixed(tick === 250 ? 2 : 1)} s`;
  if (offset < 60_000) return `${offset / 1_000} s`;
  const minutes = offset / 60_000;
  if (tick < 60_000) return `${Math.floor(minutes)}m ${String((offset / 1_000) % 60).padStart(2, '0')}s`;
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)}h ${String(rest).padStart(2, '0')}m`;
}

/** A time range, in epoch milliseconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A time range and its position on an axis from 0 to 1. */
export interface TimeSlice extends TimeRange {
  readonly at: number;
  readonly size: number;
  /** Nothing happened in it, so it is drawn compressed. */
  readonly isIdle: boolean;
}

/** A gapless mapping of time to an axis from 0 to 1. */
export interface TimeMap extends TimeRange {
  readonly pieces: readonly TimeSlice[];
}

/** Shorter pauses are not compressed, in milliseconds. */
const minIdle = 3_000;
/** A pause is compressed if it is longer than this fraction of the active time. */
const idleShare = 0.25;
/** Width of one compressed pause, and maximum width of all of them. */
const idleWidth = 0.035;
const idleWidthShare = 0.3;

/**
 * Maps time to an axis on which long idle periods are compressed.
 * @param busy times with activity; in any order, may overlap
 */
export function makeTimeMap({ from, to }: TimeRange, busy: readonly TimeRange[]): TimeMap {
  const end = Math.max(to, from + 1);
  const gaps = findGaps({ from, to: end }, busy);
  const active = end - from - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const limit = Math.max(minIdle, active * idleShare);
  const idle = gaps.filter((gap) => gap.to - gap.from > limit);
  const shown = end - from - idle.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const width = Math.min(idleWidth, idleWidthShare / Math.max(1, idle.length));
  // A range that is a single pause is not compressed.
  if (shown <= 0) return { from, to: end, pieces: [{ from, to: end, at: 0, size: 1, isIdle: false }] };
  const rest = 1 - width * idle.length;
  const pieces: TimeSlice[] = [];
  let at = 0;
  const add = (stretch: TimeRange, isIdle: boolean): void => {
    if (stretch.to <= stretch.from) return;
    const size = isIdle ? width : ((stretch.to - stretch.from) / shown) * rest;
    pieces.push({ ...stretch, at, size, isIdle });
    at += size;
  };
  let start = from;
  for (const gap of idle) {
    add({ from: start, to: gap.from }, false);
    add(gap, true);
    start = gap.to;
  }
  add({ from: start, to: end }, false);
  return { from, to: end, pieces };
}

function findGaps(whole: TimeRange, busy: readonly TimeRange[]): TimeRange[] {
  const gaps: TimeRange[] = [];
  let reached = whole.from;
  for (const { from, to } of [...busy].sort((left, right) => left.from - right.from)) {
    if (from > reached) gaps.push({ from: reached, to: Math.min(from, whole.to) });
    reached = Math.max(reached, to);
  }
  if (reached < whole.to) gaps.push({ from: reached, to: whole.to });
  return gaps.filter((gap) => gap.to > gap.from);
}

/** Returns the axis position of a moment, 0 to 1; clamped to the ends. */
export function axisPosition({ pieces }: TimeMap, moment: number): number {
  const piece = pieces.find(({ to }) => moment <= to);
  if (piece === undefined) return 1;
  return piece.at + (Math.max(0, moment - piece.from) / (piece.to - piece.from)) * piece.size;
}

/** A part of the axis, 0 to 1. */
export interface Zoom {
  readonly start: number;
  readonly end: number;
}

export const fullZoom: Zoom = { start: 0, end: 1 };
const minZoom = 0.002;

/** Limits a zoom to the axis and to a minimum size. */
export function clampZoom({ start, end }: Zoom): Zoom {
  const size = Math.min(1, Math.max(minZoom, end - start));
  const from = Math.min(Math.max(0, start), 1 - size);
  return { start: from, end: from + size };
}

/** Changes the zoom around its center. @param factor below 1 zooms in */
export function zoomBy({ start, end }: Zoom, factor: number): Zoom {
  const middle = (start + end) / 2;
  const half = ((end - start) * factor) / 2;
  return clampZoom({ start: middle - half, end: middle + half });
}

/** Returns the position in the zoomed axis, in percent of its width; may be outside. */
export const positionInZoom = ({ start, end }: Zoom, share: number): number =>
  ((share - start) / (end - start)) * 100;

/** A tick on the axis. */
interface Tick {
  /** Percent of the width. */
  readonly left: number;
  readonly label: string;
}

/** Minimum distance between ticks, in percent, so that labels do not overlap. */
const tickDistance = 9;

/** Returns the ticks of the visible part of the axis, labeled with the time since the start. */
export function listTicks(map: TimeMap, zoom: Zoom): Tick[] {
  const shown = map.pieces.filter(({ isIdle }) => !isIdle);
  const rest = shown.reduce((sum, { size }) => sum + size, 0);
  const span = shown.reduce((sum, { from, to }) => sum + to - from, 0);
  const tick = chooseTick((span / rest) * (zoom.end - zoom.start));
  const ticks: Tick[] = [];
  for (const piece of shown) {
    const scale = piece.size / (piece.to - piece.from);
    const first = Math.max(piece.from, piece.from + (zoom.start - piece.at) / scale);
    const last = Math.min(piece.to, piece.from + (zoom.end - piece.at) / scale);
    for (
      let offset = Math.ceil((first - map.from) / tick) * tick;
      offset <= last - map.from;
      offset += tick
    ) {
      const left = positionInZoom(zoom, axisPosition(map, map.from + offset));
      if (ticks.length > 0 && left - ticks.at(-1)!.left < tickDistance) continue;
      ticks.push({ left, label: labelTick(offset, tick) });
    }
  }
  return ticks;
}

interface TimelineAxisProps {
  readonly map: TimeMap;
  readonly ticks: readonly Tick[];
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}

/** Shorter drags count as clicks, as a fraction of the width. */
const minDragFraction = 0.01;

/** The time axis; dragging zooms in, a double click resets. The buttons do the same. */
export function TimelineAxis({ map, ticks, zoom, onZoom }: TimelineAxisProps) {
  const [pull, setPull] = useState<{ from: number; to: number }>();
  const getAxisPosition = (event: React.PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const release = (): void => {
    setPull(undefined);
    if (pull === undefined || Math.abs(pull.to - pull.from) < minDragFraction) return;
    const size = zoom.end - zoom.start;
    const [start, end] = [Math.min(pull.from, pull.to), Math.max(pull.from, pull.to)];
    onZoom(clampZoom({ start: zoom.start + start * size, end: zoom.start + end * size }));
  };
  return (
    <div className={styles.axis}>
      <ZoomButtons zoom={zoom} onZoom={onZoom} />
      <div
        className={styles.scale}
        title="Drag to zoom, double-click to reset"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setPull({ from: getAxisPosition(event), to: getAxisPosition(event) });
        }}
        onPointerMove={(event) => pull && setPull({ ...pull, to: getAxisPosition(event) })}
        onPointerUp={release}
        onPointerCancel={() => setPull(undefined)}
        onDoubleClick={() => onZoom(fullZoom)}
      >
        {ticks.map(({ left, label }) => (
          <span key={`${left}${label}`} className={styles.tick} style={{ left: `${left}%` }}>
            {label}
          </span>
        ))}
        <IdleMarks map={map} zoom={zoom} />
        {pull && (
          <i
            className={styles.pull}
            style={{
              left: `${Math.min(pull.from, pull.to) * 100}%`,
              width: `${Math.abs(pull.to - pull.from) * 100}%`,
            }}
          />
        )}
      </div>
      <div />
    </div>
  );
}

function ZoomButtons({ zoom, onZoom }: Pick<TimelineAxisProps, 'zoom' | 'onZoom'>) {
  const isWhole = zoom.end - zoom.start >= 1;
  return (
    <div className={styles.zoom} role="group" aria-label="Timeline zoom">
      <IconButton label="Zoom in (+)" icon={ZoomIn} size="small" onPress={() => onZoom(zoomBy(zoom, 0.5))} />
      <IconButton
        label="Zoom out (-)"
        icon={ZoomOut}
        size="small"
        isDisabled={isWhole}
        onPress={() => onZoom(zoomBy(zoom, 2))}
      />
      <IconButton
        label="Reset zoom (0)"
        icon={Maximize2}
        size="small"
        isDisabled={isWhole}
        onPress={() => onZoom(fullZoom)}
      />
    </div>
  );
}

/** Marks of compressed idle periods with their durations. */
function IdleMarks({ map, zoom }: Pick<TimelineAxisProps, 'map' | 'zoom'>) {
  return map.pieces
    .filter(({ isIdle }) => isIdle)
    .map(({ from, to, at, size }) => (
      <span
        key={from}
        className={styles.idle}
        role="note"
        aria-label={`Idle for ${formatDuration(to - from)} (not shown)`}
        title={`Idle for ${formatDuration(to - from)} (not shown)`}
        style={{
          left: `${positionInZoom(zoom, at)}%`,
          width: `${positionInZoom(zoom, at + size) - positionInZoom(zoom, at)}%`,
        }}
      />
    ));
}
