import { useId } from 'react';
import { Link } from 'wouter';
import { Hand } from 'lucide-react';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { triggerLabels } from '../../format/labels.ts';
import { StatusBadge, StatusShape } from '../../ui/status.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { IdleQuote } from '../../ui/list/list-end.tsx';
import { shortenRunIds } from '../../format/values.ts';
import { SchedulerWarning } from '../schedules/scheduler-notice.tsx';
import { formatCron, formatDayAndTime, isNear, formatDuration, formatElapsed } from '../../format/time.ts';
import { useElapsed, useTimeDerived } from '../../base/clock.ts';
import { useUsualDurations } from '../../api/statistics-queries.ts';
import { useOpenApprovals, getFirstLine } from '../../api/approval-queries.ts';
import styles from './dashboard.module.css';

interface SectionProps {
  readonly title: string;
  readonly count?: number | undefined;
  /** Link to the full list. */
  readonly more?: { readonly href: string; readonly label: string };
  readonly aside?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A section of the dashboard with its header. */
export function Section({ title, count, more, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
        <span className={styles.space} />
        {aside}
        {more && (
          <Link href={more.href} className={styles.more}>
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** Empty state of a section. */
export const SectionEmptyState = ({ children }: { readonly children: React.ReactNode }) => (
  <p className={styles.nothing}>{children}</p>
);

const maxRunsShown = 6;

/** The active runs. */
export function RunningList({
  runs,
  isLoaded,
}: {
  readonly runs: readonly RunSummaryView[];
  readonly isLoaded: boolean;
}) {
  const shown = runs.slice(0, maxRunsShown);
  const usual = useUsualDurations(shown.map(({ name }) => name));
  return (
    <Section
      title="Active runs"
      count={runs.length}
      more={{ href: withQuery(paths.runs, { status: 'running' }), label: 'All active runs' }}
    >
      {runs.length === 0 ? (
        <>
          <SectionEmptyState>No active runs</SectionEmptyState>
          {isLoaded && (
            <div className={styles.idle}>
              <IdleQuote />
            </div>
          )}
        </>
      ) : (
        <ul className={styles.rows}>
          {shown.map((run) => (
            <RunningRow key={`${run.name}/${run.dagRunId}`} run={run} usual={usual.get(run.name)} />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface RunningRowProps {
  readonly run: RunSummaryView;
  /** Milliseconds; undefined if unknown. */
  readonly usual: number | undefined;
}

function RunningRow({ run, usual }: RunningRowProps) {
  const { name, dagRunId, status, trigger, startedAt, createdAt } = run;
  const elapsed = useElapsed(startedAt === undefined ? undefined : Date.parse(startedAt));
  const share = usual === undefined ? 0 : Math.min(1, elapsed / Math.max(1, usual));
  return (
    <li className={styles.row}>
      <StatusBadge status={status} />
      <div className={styles.rowText}>
        <Link href={paths.run(name, dagRunId)} className={styles.rowName}>
          {name}
        </Link>
        <span className={styles.reason}>
          {triggerLabels[trigger]}, <RelativeTime iso={startedAt ?? createdAt} />
        </span>
      </div>
      <span className={styles.when}>
        <Duration startedAt={startedAt} finishedAt={undefined} />
        {usual !== undefined && startedAt !== undefined && (
          <span className={styles.absolute} data-late={elapsed > usual * lateFactor || undefined}>
            {formatRemaining(elapsed, usual)}
          </span>
        )}
      </span>
      {usual !== undefined && startedAt !== undefined && (
        <div
          className={styles.progress}
          role="progressbar"
          aria-label={`Estimated progress of ${name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <i style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </li>
  );
}

/** From this multiple of the usual duration on, a run is marked. */
const lateFactor = 1.5;

/** Describes when a run is likely to end. Both in milliseconds. */
export function formatRemaining(elapsed: number, usual: number): string {
  const usually = `usually ${formatDuration(usual)}`;
  const remainingMs = usual - elapsed;
  if (remainingMs >= 1000) return `${usually}, about ${formatElapsed(remainingMs)} left`;
  return elapsed > usual * lateFactor && elapsed - usual >= 1000
    ? `${usually}, ${formatElapsed(elapsed - usual)} longer`
    : `${usually}, ending soon`;
}

const maxQueuedShown = 6;

/** Queued runs with their reasons. */
export function WaitingList({ runs }: { readonly runs: readonly RunSummaryView[] }) {
  return (
    <Section title="Queued" count={runs.length} more={{ href: paths.queues, label: 'Queues' }}>
      {runs.length === 0 ? (
        <SectionEmptyState>No queued runs</SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {runs.slice(0, maxQueuedShown).map(({ name, dagRunId, error, createdAt }) => (
            <li key={`${name}/${dagRunId}`} className={styles.row}>
              <StatusShape status="queued" />
              <div className={styles.rowText}>
                <Link href={paths.run(name, dagRunId)} className={styles.rowName}>
                  {name}
                </Link>
                <span className={styles.reason} data-long title={error}>
                  {error && shortenRunIds(error)}
                </span>
              </div>
              <span className={styles.when}>
                <RelativeTime iso={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const maxDueShown = 8;

/** A near time relative and absolute, a later one absolute only. */
function NextTime({ iso }: { readonly iso: string }) {
  const isSoon = useTimeDerived((now) => isNear(iso, now));
  return (
    <span className={styles.when}>
      <RelativeTime iso={iso} />
      {isSoon && <span className={styles.absolute}>{formatDayAndTime(iso)}</span>}
    </span>
  );
}

/** The workflows that are scheduled to start next. */
export function NextList({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const due = dags
    .flatMap((dag) => (dag.nextRun === undefined ? [] : [{ ...dag, nextRun: dag.nextRun }]))
    .toSorted((remainingMs, right) => (remainingMs.nextRun < right.nextRun ? -1 : 1));
  const suspended = dags.filter((dag) => dag.suspended && dag.schedule.start.length > 0).length;
  return (
    <Section title="Upcoming" more={{ href: paths.schedule, label: 'Schedule' }}>
      <p className={styles.sectionNote}>
        <SchedulerWarning />
      </p>
      {due.length === 0 ? (
        <SectionEmptyState>
          {suspended === 0 ? 'No scheduled workflows' : 'All schedules are suspended'}
        </SectionEmptyState>
      ) : (
        <ul className={styles.rows}>
          {due.slice(0, maxDueShown).map(({ fileName, name, nextRun, schedule }) => (
            <li key={fileName} className={styles.row}>
              <div className={styles.rowText}>
                <Link href={paths.workflow(fileName)} className={styles.rowName}>
                  {name}
                </Link>
                <span className={styles.reason}>{formatCron(schedule.start[0] ?? '')}</span>
              </div>
              <NextTime iso={nextRun} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const maxQuestionsShown = 6;

/** Open approvals; renders nothing if there are none. */
export function QuestionList() {
  const open = useOpenApprovals().data ?? [];
  if (open.length === 0) return null;
  return (
    <Section
      title="Waiting for approval"
      count={open.length}
      more={{ href: paths.approvals, label: 'Approvals' }}
    >
      <ul className={styles.rows}>
        {open.slice(0, maxQuestionsShown).map(({ id, name, step, question, askedAt }) => (
          <li key={id} className={styles.row}>
            <Hand className={styles.hand} size={14} aria-hidden="true" />
            <div className={styles.rowText}>
              <Link
                href={withQuery(paths.approvals, { approval: id })}
                className={styles.question}
                dir="auto"
              >
                {getFirstLine(question)}
              </Link>
              <span className={styles.reason}>
                {name} › {step}
              </span>
            </div>
            <span className={styles.when}>
              <RelativeTime iso={askedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
