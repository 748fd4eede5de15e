import { Link } from 'wouter';
import { Suspense } from 'react';
import type { RunStatus } from '../../../core/model/run.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { statusLabels } from '../../format/labels.ts';
import { StatusShape } from '../../ui/status.tsx';
import { startOfDay } from '../../format/time.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useLatestRuns } from '../../api/run-queries.ts';
import { useQueues } from '../../api/system-queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { systemClock } from '../../base/clock.ts';
import { lazyComponent } from '../../base/lazy-component.ts';
import { usePreferences } from '../../base/preferences.ts';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/state.tsx';
import { QueueBar } from '../queues/queue-bar.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { PausedNotice } from '../schedules/paused-notice.tsx';
import styles from './dashboard.module.css';
import {
  SectionEmptyState,
  Section,
  NextList,
  QuestionList,
  RunningList,
  WaitingList,
} from './dashboard-lists.tsx';
import { useDailyOutcomes, Trends } from './trends.tsx';
import { FailureList } from './failure-list.tsx';
import { Timeline } from './timeline.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';

/** Number of active runs, and of today's runs by outcome, each linking to the list. */
export function TodayCounts() {
  const { data } = useDailyOutcomes(1);
  const today = data?.days.at(-1);
  const counts = (
    [
      ['succeeded', today?.succeeded],
      ['failed', today?.failed],
      ['partially_succeeded', today?.partiallySucceeded],
      ['aborted', today?.aborted],
    ] as const
  ).filter(([status, count]) => status === 'succeeded' || status === 'failed' || (count ?? 0) > 0);
  return (
    <nav className={styles.counts} aria-label="Runs by status">
      <Count
        status="running"
        value={data && data.active.running + data.active.notStarted}
        when="now"
        href={linkTo({ status: 'running' })}
      />
      <Count status="queued" value={data?.active.queued} when="now" href={linkTo({ status: 'queued' })} />
      <span className={styles.countRule} />
      {counts.map(([status, value]) => (
        <Count
          key={status}
          status={status}
          value={value}
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
      <span className={styles.countValue}>{value?.toLocaleString('en') ?? '–'}</span>
      <span className={styles.countLabel}>
        <StatusShape status={status} /> {statusLabels[status]} <span className={styles.faint}>{when}</span>
      </span>
    </Link>
  );
}

const maxQueuesShown = 8;

/** Load of the queues. */
function QueueLoad({ list }: { readonly list: OperationOutput<'queues.list'> }) {
  const busy = list.queues.toSorted((a, b) => b.queuedCount - a.queuedCount);
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

const hourMs = 3_600_000;

const activeStatuses = ['running', 'not_started', 'queued'] as const satisfies readonly RunStatus[];

/**
 * Returns the start of the last 24 hours or of today, whichever is earlier, rounded to a whole hour so that it
 * rarely changes.
 */
const dashboardStart = (now: number): string =>
  new Date(Math.floor(Math.min(startOfDay(now), now - 24 * hourMs) / hourMs) * hourMs).toISOString();

const FirstScreen = lazyComponent(async () => (await import('../tour/first-screen.tsx')).FirstScreen);

/** Active runs, today's failures, and the next scheduled runs. */
export function DashboardPage() {
  usePreferences();
  const dags = useDags();
  return (
    <Page title={getPageLabel(paths.dashboard)} actions={<NewWorkflowButton />}>
      <PausedNotice />
      <QueryState query={dags} what="The dashboard">
        {() => <Overview />}
      </QueryState>
    </Page>
  );
}

function Overview() {
  const fromDate = dashboardStart(systemClock.now());
  const recent = useLatestRuns({ fromDate });
  const active = useLatestRuns({ status: [...activeStatuses] });
  const dags = useDags().data ?? [];
  const queues = useQueues();
  useSystemChanges('queues', queryKeys.queues);
  const runs = recent.data ?? [];
  const now = active.data ?? [];
  const isLoaded = recent.data !== undefined && active.data !== undefined;
  if (isLoaded && runs.length === 0 && now.length === 0 && dags.every(({ latestRun }) => !latestRun))
    return (
      <Suspense fallback={null}>
        <FirstScreen dags={dags} />
      </Suspense>
    );
  return (
    <div className={styles.scroll}>
      <TodayCounts />
      <Trends />
      <div className={styles.columns}>
        <div className={styles.column}>
          <RunningList runs={now.filter(({ status }) => status !== 'queued')} isLoaded={isLoaded} />
          <FailureList dags={dags} />
          <Timeline runs={runs} active={now} isComplete={recent.data !== undefined && runs.length < 1000} />
        </div>
        <div className={styles.column}>
          <QuestionList />
          <WaitingList runs={now.filter(({ status }) => status === 'queued')} />
          <NextList dags={dags} />
          {queues.data && <QueueLoad list={queues.data} />}
        </div>
      </div>
    </div>
  );
}
