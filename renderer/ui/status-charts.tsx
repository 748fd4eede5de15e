import { memo } from 'react';
import type { StepStatus, RunStatus } from '../../core/model/run.ts';
import { pluralize } from '../../core/base/text.ts';
import { statusToken, countStatuses } from '../format/labels.ts';
import styles from './state.module.css';

interface StatusMeterProps {
  /** Accessible name. */
  readonly label: string;
  /** The progress in words, shown next to the bar and read by screen readers. */
  readonly text: string;
  /** From left to right. */
  readonly segments: readonly {
    readonly status: StepStatus;
    readonly count: number;
    readonly done: boolean;
  }[];
  /** Total of the bar. Default: the sum of the parts. */
  readonly total?: number | undefined;
}

/** Progress of many items: a bar in the colors of their statuses, and a text. */
export function StatusMeter({ label, text, segments, total }: StatusMeterProps) {
  const sum = segments.reduce((before, { count }) => before + count, 0);
  const whole = Math.max(total ?? sum, sum, 1);
  const done = segments.filter((part) => part.done).reduce((before, { count }) => before + count, 0);
  return (
    <div className={styles.meter}>
      <div
        className={styles.meterBar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={done}
        aria-valuetext={text}
      >
        {segments
          .filter(({ count }) => count > 0)
          .map(({ status, count }) => (
            <i
              key={status}
              data-status={status}
              style={
                {
                  '--bar': `var(--status-${statusToken(status)})`,
                  width: `${(count / whole) * 100}%`,
                } as React.CSSProperties
              }
            />
          ))}
      </div>
      <span aria-hidden="true">{text}</span>
    </div>
  );
}

const [barWidth, gap, height] = [4, 2, 18];
const maxBars = 10;

/** Size in pixels, for the maximum number of runs. */
const sparkSize = { width: maxBars * (barWidth + gap) - gap, height } as const;

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
export function sparklinePaths(
  statuses: readonly RunStatus[],
): readonly { readonly status: RunStatus; readonly path: string }[] {
  const paths = new Map<RunStatus, string>();
  const shown = statuses.slice(-maxBars);
  for (const [index, status] of shown.entries()) {
    const bar = drawBar(getBarX(maxBars - shown.length + index), status);
    paths.set(status, (paths.get(status) ?? '') + bar);
  }
  return [...paths].map(([status, path]) => ({ status, path }));
}

/** Draws a low line for missing runs. @param count number of existing runs */
const drawMissingRuns = (count: number): string =>
  Array.from({ length: Math.max(0, maxBars - count) }, (_, barIndex) =>
    drawBlock(getBarX(barIndex), height - 2, 2),
  ).join('');

const getBarX = (barIndex: number): number => barIndex * (barWidth + gap);

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

interface SparklineProps {
  readonly statuses: readonly RunStatus[];
}

/**
 * The newest runs of a workflow, latest on the right: bars whose height and pattern convey the status in
 * addition to the color. In a list, the tooltip has its text.
 */
export const StatusSparkline = memo(function StatusSparkline({ statuses }: SparklineProps) {
  const rest = <path d={drawMissingRuns(statuses.length)} fill="var(--border)" />;
  if (statuses.length === 0)
    return (
      <svg className={styles.spark} {...sparkSize} aria-hidden="true">
        {rest}
      </svg>
    );
  const label = `Last ${pluralize(statuses.length, 'run')}: ${countStatuses(statuses)}`;
  return (
    <svg className={styles.spark} {...sparkSize} role="img" aria-label={label} data-hint={label}>
      {rest}
      {sparklinePaths(statuses).map(({ status, path }) => (
        <path key={status} d={path} fill={`var(--status-${statusToken(status)})`} />
      ))}
    </svg>
  );
});
