import { Suspense } from 'react';
import type { RunStatus } from '../../../core/model/run.ts';
import { startOfDay } from '../../format/time.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useLatestRuns } from '../../api/run-list-queries.ts';
import { useQueues } from '../../api/system-queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { systemClock } from '../../base/clock.ts';
import { lazyComponent } from '../../base/lazy-component.ts';
import { usePreferences } from '../../base/preferences.ts';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/state.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { PausedNotice } from '../schedules/paused-notice.tsx';
import { NextList, QuestionList, RunningList, WaitingList } from './dashboard-lists.tsx';
import styles from './dashboard.module.css';
import { QueueLoad, TodayCounts } from './dashboard-health.tsx';
import { FailureList } from './failure-list.tsx';
import { Trends } from './trends.tsx';
import { Timeline } from './timeline.tsx';

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
    <Page title="Dashboard" actions={<NewWorkflowButton />}>
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
