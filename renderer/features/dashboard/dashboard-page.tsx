import { CalendarDays, PenLine, Play, Sparkles } from 'lucide-react';
import { Link } from 'wouter';
import type { RunStatus } from '../../../core/model/run.ts';
import { pluralize } from '../../../core/base/text.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { startOfDay } from '../../format/time.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useLatestRuns } from '../../api/run-list-queries.ts';
import { useQueues } from '../../api/system-queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { systemClock } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/state.tsx';
import { useStartRun } from '../start/start-dialog.tsx';
import { openTour } from '../tour/tour.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import { PausedNotice } from '../schedules/paused-notice.tsx';
import { NoWorkflows } from '../workflows/workflows-page.tsx';
import { NextList, Section, QuestionList, RunningList, WaitingList } from './dashboard-lists.tsx';
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

const maxOfferedWorkflows = 3;
/** The tag of the bundled workflows. */
const sampleTag = 'sample';

/** The dashboard before the first run: workflows to run, and next steps. */
function GettingStarted({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const start = useStartRun();
  const mayStart = useCan('dags.start');
  const offered = offeredWorkflows(dags);
  return (
    <div className={styles.firstViewScroll}>
      <div className={styles.head}>
        <h2>No runs yet</h2>
        <p>Run a sample to get started. Your running, queued and failed workflows will appear here.</p>
      </div>
      <ul className={styles.cards} aria-label="Sample workflows">
        {offered.map(({ fileName, name, description, stepCount }) => (
          <li key={fileName} className={styles.card}>
            <Link href={paths.workflow(fileName)} className={styles.name}>
              {name}
            </Link>
            <p>{description ?? ''}</p>
            <div className={styles.cardFoot}>
              <span>{pluralize(stepCount, 'step')}</span>
              <Button
                icon={Play}
                isPending={start.pending === fileName}
                unavailable={mayStart.reason}
                aria-label={`Run ${name}`}
                onPress={() => start.begin(fileName)}
              >
                Run
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <div className={styles.firstViewColumns}>
        <NextSteps />
        {dags.some(({ nextRun }) => nextRun !== undefined) && <NextList dags={dags} />}
      </div>
      {start.dialog}
    </div>
  );
}

/** Returns the bundled workflows, or else the first runnable ones. */
function offeredWorkflows(dags: readonly DagSummaryView[]): readonly DagSummaryView[] {
  const able = dags.filter(({ valid }) => valid);
  const samples = able.filter(({ tags }) => tags.includes(sampleTag));
  return (samples.length > 0 ? samples : able).slice(0, maxOfferedWorkflows);
}

function NextSteps() {
  return (
    <Section title="Next steps">
      <ul className={styles.ways}>
        <li>
          <PenLine size={16} aria-hidden="true" />
          <span>
            <Link href={paths.newWorkflow()}>Create a workflow</Link>
            <span>Start from scratch, a template, a script, a Makefile or a crontab.</span>
          </span>
        </li>
        <li>
          <CalendarDays size={16} aria-hidden="true" />
          <span>
            <Link href={paths.schedule}>Schedule a workflow</Link>
            <span>Run it automatically with cron.</span>
          </span>
        </li>
        <li>
          <Sparkles size={16} aria-hidden="true" />
          <span>
            <button type="button" className={styles.asLink} onClick={openTour}>
              Take the tour
            </button>
            <span>Four steps, less than a minute.</span>
          </span>
        </li>
      </ul>
    </Section>
  );
}

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
