const tickChoices = [
  1, 2, 5, 10, 20, 50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
];
const wantedTicks = 6;

/** Returns the tick distance for an axis of this length, for about six round ticks; in milliseconds. */
export const chooseTick = (span: number): number =>
  tickChoices.find((choice) => span / choice <= wantedTicks) ?? tickChoices.at(-1)!;

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
