import { Link } from 'wouter';
import { Pause, CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import type { CalendarEntryView } from '../../../core/contract/schedules.ts';
import type { StepStatus } from '../../../core/model/run.ts';
import { statusLabels } from '../../format/labels.ts';
import {
  formatHourAndMinute,
  formatFull,
  addDays,
  boundsOf,
  startOfWeek,
  toDate,
  readTimeZone,
} from '../../format/time.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { StatusShape } from '../../ui/status.tsx';
import { useSchedulers, schedulersKey } from '../../api/system-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useScheduleCalendar, useDags } from '../../api/workflow-queries.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useNow } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { IdleQuote } from '../../ui/list/list-end.tsx';
import styles from './schedules.module.css';
import { PauseMenu, PausedNotice } from './paused-notice.tsx';
import { NextTable } from './next-table.tsx';

const kindLabels = { start: '', stop: 'Stop', restart: 'Restart' } as const;
const outcomeLabels = {
  due: 'due',
  suspended: 'suspended',
  started: 'started',
  stopped: 'stopped',
  restarting: 'restarting',
  skipped: 'missed',
  failed: 'failed to start',
} as const;

/** Describes the outcome of an entry: `missed: the previous run is still active`. */
export function describeEntry({ kind, outcome, count, last, reason, run }: CalendarEntryView): string {
  const ended = run === undefined || count > 1 ? '' : `, ${statusLabels[run.status].toLowerCase()}`;
  const until = count > 1 ? `, ${count} runs until ${formatHourAndMinute(last)}` : '';
  const reasonText = reason === undefined ? '' : `: ${reason}`;
  return [kindLabels[kind], `${outcomeLabels[outcome]}${ended}${until}${reasonText}`]
    .filter((word) => word !== '')
    .join(' ');
}

/** Returns its status icon: that of its run, if there is one. */
export function shapeOf({ outcome, run }: CalendarEntryView): StepStatus {
  if (run !== undefined) return run.status;
  switch (outcome) {
    case 'skipped':
    case 'suspended':
      return 'skipped';
    case 'failed':
      return 'failed';
    case 'stopped':
      return 'aborted';
    case 'restarting':
      return 'running';
    case 'started':
      return 'succeeded';
    case 'due':
      return 'not_started';
  }
}

interface DayColumnProps {
  readonly date: string;
  readonly isToday: boolean;
  readonly entries: readonly CalendarEntryView[];
}

const maxTimesShown = 40;
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Scrolls today's column into view in a narrow window. */
const bringIntoSight = (column: HTMLElement | null): void =>
  column?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** One day: its entries by first time. */
function DayColumn({ date, isToday, entries }: DayColumnProps) {
  const name = dayFormat.format(Date.parse(date));
  return (
    <section
      ref={isToday ? bringIntoSight : undefined}
      className={styles.day}
      data-today={isToday || undefined}
      aria-label={name}
    >
      <h2>
        {name}
        {isToday && <span className={styles.today}>Today</span>}
      </h2>
      <ul>
        {entries.slice(0, maxTimesShown).map((entry) => (
          <Entry key={`${entry.fileName} ${entry.kind} ${entry.outcome}`} entry={entry} />
        ))}
      </ul>
      {entries.length === 0 && <p className={styles.quiet}>No runs</p>}
      {entries.length > maxTimesShown && (
        <p className={styles.quiet}>{entries.length - maxTimesShown} more</p>
      )}
    </section>
  );
}

function Entry({ entry }: { readonly entry: CalendarEntryView }) {
  const { fileName, name, outcome, count, first, run, kind } = entry;
  const words = describeEntry(entry);
  const href = run && count === 1 ? paths.run(run.name, run.dagRunId) : paths.workflow(fileName);
  const showsWords =
    outcome === 'skipped' || outcome === 'failed' || outcome === 'suspended' || kind !== 'start';
  return (
    <li data-outcome={outcome}>
      <Link href={href} className={styles.entry} title={words}>
        <StatusShape status={shapeOf(entry)} />
        <span className={styles.entryText}>
          <span className={styles.entryTime}>{formatHourAndMinute(first)}</span>{' '}
          <span className={styles.entryName}>{name}</span>{' '}
          {count > 1 && <span className={styles.times}>×{count}</span>}{' '}
          <span className={showsWords ? styles.entryReason : 'visually-hidden'}>{words}</span>
        </span>
      </Link>
    </li>
  );
}

const maxMissedShown = 10;

/** Scheduled runs missed while no scheduler was running, the machine was asleep or schedules were paused. */
function MissedList() {
  const notes = useSchedulers().data?.notes.filter(({ kind }) => kind === 'missed') ?? [];
  if (notes.length === 0) return null;
  return (
    <section className={styles.missed} aria-label="Missed runs">
      <h2>Missed runs</h2>
      <ul>
        {notes.slice(0, maxMissedShown).map(({ at, fileName, message }, index) => (
          // Notes have no id; the list is always loaded as a whole.
          <li key={`${at} ${index}`}>
            <time dateTime={at}>{formatFull(at)}</time>{' '}
            {fileName !== undefined && <Link href={paths.workflow(fileName)}>{fileName}</Link>} {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Button that pauses all schedules; hidden while they are paused, because a notice is displayed instead. */
function PauseButton() {
  const schedulers = useSchedulers().data;
  const may = useCan('schedules.pause');
  if (schedulers === undefined || schedulers.pause !== undefined) return null;
  if (!may.allowed) return null;
  return (
    <PauseMenu>
      <Button icon={Pause}>Pause…</Button>
    </PauseMenu>
  );
}

const week = 7;

/** A week of schedules, from Monday: started, missed (with reasons) and upcoming runs. */
export function SchedulePage() {
  usePreferences();
  const today = toDate(useNow());
  const [query, change] = useQueryParams();
  const from = query.get('from') ?? '';
  const first = startOfWeek(boundsOf(from) === undefined ? today : from);
  const zone = readTimeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const calendar = useScheduleCalendar({ fromDate: first, toDate: addDays(first, week - 1), zone });
  const go = (days: number) => () => change({ from: addDays(first, days) });
  return (
    <Page
      title="Schedule"
      beside={<span className={styles.zone}>Times in {zone}</span>}
      actions={
        <>
          <PauseButton />
          <IconButton icon={ChevronLeft} label="Previous week" onPress={go(-week)} />
          <Button onPress={() => change({ from: '' })}>This week</Button>
          <IconButton icon={ChevronRight} label="Next week" onPress={go(week)} />
        </>
      }
    >
      <NoScheduler />
      <PausedNotice />
      <QueryState query={calendar} what="The schedule">
        {({ entries, isComplete }) => (
          <div className={styles.scroll}>
            {!isComplete && (
              <Notice tone="warning">Too many runs to show. Some workflows are not listed.</Notice>
            )}
            <Week first={first} today={today} entries={entries} />
            <MissedList />
            <Upcoming />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

/** Notice that no scheduler is running. */
function NoScheduler() {
  useSystemChanges('schedulers', schedulersKey);
  const schedulers = useSchedulers().data?.schedulers;
  if (schedulers === undefined || schedulers.some(({ status }) => status === 'active')) return null;
  return (
    <Notice tone="warning">
      Scheduler not running. Scheduled workflows won’t start. Start the desktop app,{' '}
      <code>engine scheduler</code> or <code>engine start-all</code>.
    </Notice>
  );
}

interface WeekProps {
  readonly first: string;
  readonly today: string;
  readonly entries: readonly CalendarEntryView[];
}

function Week({ first, today, entries }: WeekProps) {
  const dates = Array.from({ length: week }, (_, index) => addDays(first, index));
  return (
    <div className={styles.week}>
      {dates.map((date) => (
        <DayColumn
          key={date}
          date={date}
          isToday={date === today}
          entries={entries.filter((entry) => entry.date === date)}
        />
      ))}
    </div>
  );
}

function Upcoming() {
  const scheduled = useDags().data?.filter(({ schedule }) =>
    Object.values(schedule).some((expressions) => expressions.length > 0),
  );
  if (scheduled === undefined) return null;
  if (scheduled.length > 0) return <NextTable dags={scheduled} />;
  return (
    <EmptyState icon={CalendarDays} title="No scheduled workflows">
      <p>
        Open a <Link href={paths.workflows}>workflow</Link> in the editor and add a schedule.
      </p>
      <IdleQuote />
    </EmptyState>
  );
}
