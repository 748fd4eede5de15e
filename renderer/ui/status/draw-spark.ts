import type { RunStatus } from '../../../core/model/run/status.ts';

const [barWidth, gap, height] = [4, 2, 18];
const maxBars = 10;

/** Size in pixels, for the maximum number of runs. */
export const sparkSize = { width: maxBars * (barWidth + gap) - gap, height } as const;

/** Bar heights as fractions of the full height. */
const shares: Readonly<Record<RunStatus, number>> = {
  failed: 1,
  aborted: 0.8,
  partially_succeeded: 0.8,
  succeeded: 0.6,
  running: 0.6,
  queued: 0.3,
  not_started: 0.3,
};

/**
 * Returns one path per status for all of its bars, because a list has hundreds of these charts. The newest run
 * is always on the right, so that rows can be compared.
 */
export function sparkPaths(
  statuses: readonly RunStatus[],
): readonly { readonly status: RunStatus; readonly path: string }[] {
  const paths = new Map<RunStatus, string>();
  const shown = statuses.slice(-maxBars);
  for (const [index, status] of shown.entries()) {
    const bar = drawBar(leftOf(maxBars - shown.length + index), status);
    paths.set(status, (paths.get(status) ?? '') + bar);
  }
  return [...paths].map(([status, path]) => ({ status, path }));
}

/** Draws a low line for missing runs. @param count number of existing runs */
export const drawMissingRuns = (count: number): string =>
  Array.from({ length: Math.max(0, maxBars - count) }, (_, barIndex) =>
    drawBlock(leftOf(barIndex), height - 2, 2),
  ).join('');

const leftOf = (barIndex: number): number => barIndex * (barWidth + gap);

function drawBar(left: number, status: RunStatus): string {
  const tall = Math.round(height * shares[status]);
  const top = height - tall;
  if (status !== 'running') return drawBlock(left, top, tall);
  // Striped, because the run has not ended.
  return Array.from({ length: Math.ceil(tall / 4) }, (_, stripe) =>
    drawBlock(left, top + stripe * 4, Math.min(2, tall - stripe * 4)),
  ).join('');
}

const drawBlock = (left: number, top: number, tall: number): string =>
  `M${left} ${top}h${barWidth}v${tall}h-${barWidth}z`;
