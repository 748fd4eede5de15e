import { Link } from 'wouter';
import { RotateCcw } from 'lucide-react';
import type { FailureGroupView } from '../../../core/contract/statistics.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { useRetryRun } from '../../api/run-queries.ts';
import { useRunFailures } from '../../api/statistics-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { QueryState } from '../../ui/state.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { SectionEmptyState, Section } from './dashboard-lists.tsx';
import styles from './dashboard.module.css';

const maxGroupsShown = 6;
const maxNamesShown = 3;

interface FailureListProps {
  readonly dags: readonly DagSummaryView[];
}

/** Failures of the last week by cause; causes whose workflows have all succeeded since come last. */
export function FailureList({ dags }: FailureListProps) {
  const found = useRunFailures();
  const succeeding = new Set(
    dags.filter(({ latestRun }) => latestRun?.status === 'succeeded').map(({ name }) => name),
  );
  const groups = sortFailures(found.data?.failures ?? [], succeeding);
  const open = groups.filter(({ isResolved }) => !isResolved).length;
  return (
    <Section
      title="Failures"
      count={open}
      more={{ href: withQuery(paths.runs, { status: 'failed', range: 'week' }), label: 'All failures' }}
    >
      <QueryState query={found} what="The failures">
        {({ isComplete }) =>
          groups.length === 0 ? (
            <SectionEmptyState>No failed runs in the last 7 days</SectionEmptyState>
          ) : (
            <>
              <ul className={styles.rows}>
                {groups.slice(0, maxGroupsShown).map(({ group, isResolved }) => (
                  <FailureRow key={group.cause} group={group} isResolved={isResolved} />
                ))}
              </ul>
              {(groups.length > maxGroupsShown || !isComplete) && (
                <p className={styles.sectionNote}>
                  {groups.length > maxGroupsShown &&
                    `${groups.length - maxGroupsShown} more ${groups.length - maxGroupsShown === 1 ? 'cause' : 'causes'} not shown. `}
                  {!isComplete && 'Showing the latest 10,000 failed runs.'}
                </p>
              )}
            </>
          )
        }
      </QueryState>
    </Section>
  );
}

interface RatedFailure {
  readonly group: FailureGroupView;
  /** The latest run of each of its workflows has succeeded. */
  readonly isResolved: boolean;
}

/** Puts resolved failures last, otherwise keeping the order. @param succeeding workflows whose latest run succeeded */
export function sortFailures(
  groups: readonly FailureGroupView[],
  succeeding: ReadonlySet<string>,
): RatedFailure[] {
  return groups
    .map((group) => ({ group, isResolved: group.workflows.every(({ name }) => succeeding.has(name)) }))
    .toSorted((a, b) => Number(a.isResolved) - Number(b.isResolved));
}

function FailureRow({ group, isResolved }: RatedFailure) {
  const { cause, runs, firstAt, lastAt, latestRun, workflows } = group;
  return (
    <li className={styles.row} data-resolved={isResolved || undefined}>
      <StatusBadge status="failed" />
      <div className={styles.rowText}>
        <Link
          href={paths.run(latestRun.name, latestRun.dagRunId)}
          className={styles.cause}
          dir="auto"
          title={cause}
        >
          {cause || 'No error message'}
        </Link>
        <span className={styles.reason}>
          {workflows.slice(0, maxNamesShown).map(({ name, runs: count }, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <Link href={withQuery(paths.runs, { name, status: 'failed', range: 'week' })}>{name}</Link>
              {workflows.length > 1 && count > 1 && ` ×${count.toLocaleString('en')}`}
            </span>
          ))}
          {workflows.length > maxNamesShown && ` and ${workflows.length - maxNamesShown} more`}
          {isResolved && ' · succeeding again'}
        </span>
      </div>
      <span className={styles.when}>
        <span>
          {runs > 1 && `${runs.toLocaleString('en')} times, last `}
          <RelativeTime iso={lastAt} />
        </span>
        {runs > 1 && (
          <span className={styles.absolute}>
            first <RelativeTime iso={firstAt} />
          </span>
        )}
      </span>
      <RetryButton run={latestRun} isResolved={isResolved} />
    </li>
  );
}

interface RetryButtonProps {
  readonly run: FailureGroupView['latestRun'];
  readonly isResolved: boolean;
}

function RetryButton({ run: { name, dagRunId }, isResolved }: RetryButtonProps) {
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
    <Button
      size="small"
      variant={isResolved ? 'quiet' : 'secondary'}
      icon={RotateCcw}
      isPending={retry.isPending}
      unavailable={may.reason}
      aria-label={`Retry ${name}`}
      onPress={begin}
    >
      Retry
    </Button>
  );
}
