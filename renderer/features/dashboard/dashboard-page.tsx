import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { useLatestRuns } from '../../api/queries/runs/run-list-queries.ts';
import { useQueues } from '../../api/queries/operating/queue-queries.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { systemClock } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { PausedNotice } from '../schedules/pause/paused-notice.tsx';
import { NoWorkflows } from '../workflows/no-workflows.tsx';
import { activeStatuses, dashboardStart } from './day-span.ts';
import { QuestionList } from './question-list.tsx';
import { FailureList } from './failure-list.tsx';
import { GettingStarted } from './first-view.tsx';
import { NextList } from './next-list.tsx';
import { QueueLoad } from './queue-load.tsx';
import { RunningList } from './running-list.tsx';
import { TodayCounts } from './today-counts.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { WaitingList } from './waiting-list.tsx';
import styles from './dashboard.module.css';

/** Active runs, today's failures, and the next scheduled runs. */
export function DashboardPage() {
  usePreferences();
  const dags = useDags();
  return (
    <Page title="Dashboard" actions={<NewWorkflowButton />}>
      <PausedNotice />
      <QueryState query={dags} what="The dashboard">
        {(all) => (all.length === 0 ? <NoWorkflows /> : <Overview />)}
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
    return <GettingStarted dags={dags} />;
  return (
    <div className={styles.scroll}>
      <TodayCounts recent={recent.data} active={active.data} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Timeline runs={runs} active={now} isComplete={recent.data !== undefined && runs.length < 1000} />
          <FailureList runs={runs} isLoaded={recent.data !== undefined} />
          <RunningList runs={now.filter(({ status }) => status !== 'queued')} isLoaded={isLoaded} />
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
