import type { PingCheckView } from '../../../core/contract/pings.ts';
import type { StepStatus } from '../../../core/model/run.ts';
import { formatCron } from '../../format/time.ts';
import { StatusShape } from '../../ui/status.tsx';
import styles from './pings.module.css';

const shapes = {
  new: 'not_started',
  ok: 'succeeded',
  running: 'running',
  late: 'queued',
  missing: 'failed',
  failed: 'failed',
} as const satisfies Readonly<Record<PingCheckView['status'], StepStatus>>;

const labels = {
  new: 'No ping yet',
  ok: 'OK',
  running: 'Running',
  late: 'Late',
  missing: 'Missing',
  failed: 'Failed',
} as const satisfies Readonly<Record<PingCheckView['status'], string>>;

/** The status of a check as icon and words. */
export const PingStatus = ({ status }: Pick<PingCheckView, 'status'>) => (
  <span className={styles.status}>
    <StatusShape status={shapes[status]} size={12} />
    {labels[status]}
  </span>
);

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Formats seconds as a duration that can be typed: `1d`, `1h30m`. */
export function formatSpan(seconds: number): string {
  let rest = seconds;
  let text = '';
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest %= size;
  }
  return text;
}

/** Formats when pings are expected: `every 1d, grace 1h`. */
export const formatExpected = ({ schedule, timezone, periodSec, graceSec }: PingCheckView): string => {
  const zone = timezone === undefined ? '' : ` (${timezone})`;
  const when = periodSec === undefined ? formatCron(schedule ?? '') + zone : `every ${formatSpan(periodSec)}`;
  return `${when}, grace ${formatSpan(graceSec)}`;
};
