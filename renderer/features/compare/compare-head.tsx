import { Link } from 'wouter';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { paths } from '../../app/paths.ts';
import { formatDuration } from '../../format/duration.ts';
import { spanOf } from '../../format/time.ts';
import { describeOrigin } from '../../format/trigger.ts';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './compare.module.css';
import { describeDelta } from './describe-delta.ts';

interface CompareHeadProps {
  readonly left: RunDetailView;
  readonly right: RunDetailView;
}

/** The two runs, and the difference of their durations. */
export function CompareHeader({ left, right }: CompareHeadProps) {
  const [before, after] = [left, right].map(({ startedAt, finishedAt }) =>
    startedAt === undefined || finishedAt === undefined ? undefined : spanOf(startedAt, finishedAt, 0),
  );
  return (
    <div className={styles.head}>
      <Side run={left} label="A" />
      <Side run={right} label="B" />
      {before !== undefined && after !== undefined && (
        <p className={styles.verdict}>
          {before === after
            ? 'Same duration'
            : `B was ${formatDuration(Math.abs(after - before))} ${after > before ? 'slower' : 'faster'} than A (${describeDelta(before, after)})`}
        </p>
      )}
    </div>
  );
}

function Side({ run, label }: { readonly run: RunDetailView; readonly label: string }) {
  return (
    <section className={styles.side} aria-label={`Run ${label}`}>
      <b>{label}</b>
      <StatusBadge status={run.status} />
      <Duration startedAt={run.startedAt} finishedAt={run.finishedAt} />
      <span>
        <RelativeTime iso={run.startedAt ?? run.createdAt} />
      </span>
      <span>{describeOrigin(run)}</span>
      <Link href={paths.run(run.name, run.dagRunId)}>
        <code>{run.dagRunId}</code>
      </Link>
    </section>
  );
}
