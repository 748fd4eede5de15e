import type { StepRunView } from '../../../../core/contract/runs/run-views.ts';
import { formatDuration } from '../../../format/duration.ts';
import { formatFull } from '../../../format/time.ts';
import { StatusBadge } from '../../../ui/status/status-badge.tsx';
import { Duration } from '../../../ui/time/duration.tsx';
import { statusOfAttempt } from '../timeline/segments.ts';
import { NameValueTable } from '../values/fact-table.tsx';
import styles from '../values/values.module.css';

/** Each attempt of a step: start, wait since the previous one, result, and log files. */
export function AttemptTable({ step }: { readonly step: StepRunView }) {
  return (
    <NameValueTable
      rows={step.attempts.map((attempt, index) => {
        const isLast = index === step.attempts.length - 1;
        const status = isLast && step.status !== 'not_started' ? step.status : statusOfAttempt(attempt);
        const before = step.attempts[index - 1]?.finishedAt;
        const pause = before === undefined ? 0 : Date.parse(attempt.startedAt) - Date.parse(before);
        const ending = attempt.exitCode === undefined ? attempt.signal : `exit ${attempt.exitCode}`;
        return [
          `Attempt ${attempt.attempt}`,
          <div key="facts" className={styles.attempt}>
            <div>
              <StatusBadge status={status} />
              <Duration startedAt={attempt.startedAt} finishedAt={attempt.finishedAt} />
              {ending !== undefined && <span>{ending}</span>}
              {attempt.worker && (
                <span className={styles.note}>
                  on {attempt.worker.id} ({attempt.worker.host})
                </span>
              )}
              {attempt.pid !== undefined && <span className={styles.note}>pid {attempt.pid}</span>}
            </div>
            <div className={styles.note}>
              {formatFull(attempt.startedAt)}
              {pause > 0 && `, ${formatDuration(pause)} after the previous attempt`}
            </div>
            {attempt.error !== undefined && <div dir="auto">{attempt.error}</div>}
            <code className={styles.note}>{attempt.stdoutFile}</code>
          </div>,
        ] as const;
      })}
    />
  );
}
