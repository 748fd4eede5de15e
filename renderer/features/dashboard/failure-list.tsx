import { RotateCcw } from 'lucide-react';
import { Link } from 'wouter';
import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import { useRetryRun } from '../../api/queries/runs/rerun-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { SectionEmptyState, Section } from './section.tsx';
import styles from './dashboard.module.css';

const maxShown = 8;

/** Recent failures with reasons and a retry action. */
export function FailureList({
  runs,
  isLoaded,
}: {
  readonly runs: readonly RunSummaryView[];
  readonly isLoaded: boolean;
}) {
  const failed = runs.filter(({ status }) => status === 'failed');
  return (
    <Section
      title="Failures"
      count={failed.length}
      more={{ href: withQuery(paths.runs, { status: 'failed' }), label: 'All failures' }}
    >
      {isLoaded && failed.length === 0 ? (
        <SectionEmptyState>No failed runs in the last 24 hours</SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {failed.slice(0, maxShown).map((run) => (
            <Failure key={`${run.name}/${run.dagRunId}`} run={run} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Failure({ run }: { readonly run: RunSummaryView }) {
  const { name, dagRunId, error, finishedAt, createdAt } = run;
  const retry = useRetryRun();
  const may = useCan('runs.retry');
  const begin = (): void =>
    retry.mutate(
      { name, dagRunId },
      {
        onSuccess: () => showToast('info', `Retrying the failed steps of ${name}.`),
        onError: showError,
      },
    );
  return (
    <li className={styles.row}>
      <StatusBadge status="failed" />
      <div className={styles.rowText}>
        <Link href={paths.run(name, dagRunId)} className={styles.rowName}>
          {name}
        </Link>
        <span className={styles.reason} data-failed dir="auto" title={error}>
          {error ?? 'No error message'}
        </span>
      </div>
      <span className={styles.when}>
        <RelativeTime iso={finishedAt ?? createdAt} />
      </span>
      <Button
        size="small"
        icon={RotateCcw}
        isPending={retry.isPending}
        unavailable={may.reason}
        aria-label={`Retry ${name}`}
        onPress={begin}
      >
        Retry
      </Button>
    </li>
  );
}
