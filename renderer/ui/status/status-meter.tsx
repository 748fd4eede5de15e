import type { StepStatus } from '../../../core/model/run/status.ts';
import { statusToken } from '../../format/status.ts';
import styles from './status.module.css';

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
