import { chooseTick, labelTick } from './time-labels.ts';

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
const idleWidthOfAll = 0.3;

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
  const width = Math.min(idleWidth, idleWidthOfAll / Math.max(1, idle.length));
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
export function placeOf({ pieces }: TimeMap, moment: number): number {
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
export interface Tick {
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
      const left = positionInZoom(zoom, placeOf(map, map.from + offset));
      if (ticks.length > 0 && left - ticks.at(-1)!.left < tickDistance) continue;
      ticks.push({ left, label: labelTick(offset, tick) });
    }
  }
  return ticks;
}
