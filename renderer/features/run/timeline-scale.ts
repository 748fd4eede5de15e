const tickChoices = [
  100, 250, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000,
  1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
];
const wantedTicks = 6;

/** A stretch of time laid over a width of 100 %. */
export interface TimelineScale {
  /** Start, epoch milliseconds. */
  readonly from: number;
  /** Length, milliseconds; at least one. */
  readonly span: number;
  /** Distance of the marks on the axis, milliseconds. */
  readonly tick: number;
}

/** The scale for a run between two moments, with about half a dozen round marks. */
export function makeScale(from: number, to: number): TimelineScale {
  const span = Math.max(1, to - from);
  const tick = tickChoices.find((choice) => span / choice <= wantedTicks) ?? tickChoices.at(-1)!;
  return { from, span, tick };
}

/** Offsets of the marks from the start, milliseconds. */
export const listTicks = ({ span, tick }: TimelineScale): number[] =>
  Array.from({ length: Math.floor(span / tick) + 1 }, (_, index) => index * tick);

/** Place of a moment, in percent of the width. */
export const placeOf = ({ from, span }: TimelineScale, moment: number): number =>
  ((moment - from) / span) * 100;

/** A mark's label: as coarse as the distance of the marks allows. */
export function labelTick(offset: number, tick: number): string {
  if (offset === 0) return '0';
  if (tick < 1_000) return `${(offset / 1_000).toFixed(tick === 250 ? 2 : 1)} s`;
  if (offset < 60_000) return `${offset / 1_000} s`;
  const minutes = offset / 60_000;
  if (tick < 60_000) return `${Math.floor(minutes)}m ${String((offset / 1_000) % 60).padStart(2, '0')}s`;
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)}h ${String(rest).padStart(2, '0')}m`;
}
