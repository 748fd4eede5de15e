import { Link } from 'wouter';
import { RotateCcw } from 'lucide-react';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import type { RunStatus } from '../../../core/model/run.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { systemClock } from '../../base/clock.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { startOfDay } from '../../format/time.ts';
import { statusLabels } from '../../format/labels.ts';
import { StatusShape, StatusBadge } from '../../ui/status.tsx';
import { useRetryRun } from '../../api/run-list-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { QueueBar } from '../queues/queue-bar.tsx';
import styles from './dashboard.module.css';
import { SectionEmptyState, Section } from './dashboard-lists.tsx';

const active: readonly RunStatus[] = ['running', 'queued'];
const ended: readonly RunStatus[] = ['succeeded', 'partially_succeeded', 'failed', 'aborted'];

interface CountsProps {
  /** Undefined while loading. */
  readonly recent: readonly RunSummaryView[] | undefined;
  readonly active: readonly RunSummaryView[] | undefined;
}

/** Number of today's runs per status, each linking to the list. */
export function TodayCounts({ recent, active: now }: CountsProps) {
  const from = startOfDay(systemClock.now());
  const today = recent?.filter(({ createdAt }) => Date.parse(createdAt) >= from);
  const count = (runs: readonly RunSummaryView[] | undefined, status: RunStatus): number | undefined =>
    runs?.filter((run) => run.status === status).length;
  return (
    <nav className={styles.counts} aria-label="Runs by status">
      {active.map((status) => (
        <Count key={status} status={status} value={count(now, status)} when="now" href={linkTo({ status })} />
      ))}
      <span className={styles.countRule} />
      {ended.map((status) => (
        <Count
          key={status}
          status={status}
          value={count(today, status)}
          when="today"
          href={linkTo({ status, range: 'today' })}
        />
      ))}
    </nav>
  );
}

const linkTo = (query: Readonly<Record<string, string>>): string => withQuery(paths.runs, query);

interface CountProps {
  readonly status: RunStatus;
  readonly value: number | undefined;
  readonly when: string;
  readonly href: string;
}

function Count({ status, value, when, href }: CountProps) {
  return (
    <Link href={href} className={styles.countTile} data-zero={value === 0 || undefined}>
      <span className={styles.countValue}>{value ?? '–'}</span>
      <span className={styles.countLabel}>
        <StatusShape status={status} /> {statusLabels[status]} <span className={styles.faint}>{when}</span>
      </span>
    </Link>
  );
}

const maxFailuresShown = 8;

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
          {failed.slice(0, maxFailuresShown).map((run) => (
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

const maxQueuesShown = 8;

/** Load of the queues. */
export function QueueLoad({ list }: { readonly list: OperationOutput<'queues.list'> }) {
  const busy = list.queues.toSorted((left, right) => right.queuedCount - left.queuedCount);
  return (
    <Section title="Queues" more={{ href: paths.queues, label: 'All queues' }}>
      {busy.length === 0 ? (
        <SectionEmptyState>No active queues</SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {busy.slice(0, maxQueuesShown).map((queue) => (
            <li key={queue.name} className={styles.row}>
              <div className={`${styles.rowText} ${styles.queueName}`}>
                <Link href={withQuery(paths.queues, { queue: queue.name })} className={styles.rowName}>
                  {queue.name}
                </Link>
              </div>
              <QueueBar queue={queue} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
