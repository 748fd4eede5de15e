import { AlarmClock } from 'lucide-react';
import type { MissedView } from '../../../core/contract/run-views.ts';
import { formatDayAndTime, formatHourAndMinute, toDate } from '../../format/time.ts';
import { useTimeDerived } from '../../base/clock.ts';
import styles from './expectations.module.css';

type Missed = Pick<MissedView, 'kind' | 'rule' | 'deadline' | 'message' | 'resolvedAt'>;

/** Formats a miss in a few words: `Late since 06:30`. */
export function formatMissed({ kind, rule, deadline, resolvedAt }: Missed, now: number): string {
  const isToday = toDate(Date.parse(deadline)) === toDate(now);
  const time = isToday ? formatHourAndMinute(deadline) : formatDayAndTime(deadline);
  if (rule === 'start') return `Did not start at ${time}`;
  if (resolvedAt !== undefined) return `${pastWords[kind]} at ${time}`;
  return `${missedLabels[kind]} since ${time}`;
}

/** The kinds of misses. */
export const missedLabels = { late: 'Late', long: 'Long-running', missing: 'Missing' } as const;
const pastWords = { late: 'Was late', long: 'Was long-running', missing: 'Was missing' } as const;

/** The first of the misses of a workflow or run in words, with an icon; the others and details on hover. */
export function MissedMark({ missed }: { readonly missed: readonly Missed[] | undefined }) {
  const text = useTimeDerived((now) => missed?.map((miss) => formatMissed(miss, now)).join('\n') ?? '');
  if (missed === undefined || missed.length === 0) return null;
  const [first, ...others] = text.split('\n');
  return (
    <span className={styles.mark} title={missed.map(({ message }) => message).join('\n')}>
      <AlarmClock size={12} aria-hidden="true" />
      <span>
        {first}
        {others.length > 0 && ` (+${others.length})`}
      </span>
    </span>
  );
}
