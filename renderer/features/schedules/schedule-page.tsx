import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import type { CalendarEntryView } from '../../../core/contract/schedules/calendars.ts';
import { useScheduleCalendar } from '../../api/queries/workflows/schedule-queries.ts';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { schedulersKey, useSchedulers } from '../../api/queries/operating/system-queries.ts';
import { useQueryParams } from '../../app/address.ts';
import { useNow } from '../../app/clock.ts';
import { paths } from '../../app/paths.ts';
import { usePreferences } from '../../app/preferences.ts';
import { addDays, boundsOf, startOfWeek, toDate } from '../../format/day-clock.ts';
import { readTimeZone } from '../../format/time-formats.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { IdleQuote } from '../idle-quote/idle-quote.tsx';
import { DayColumn } from './day-column.tsx';
import { MissedList } from './missed-list.tsx';
import { NextTable } from './next-table.tsx';
import { PauseButton } from './pause/pause-button.tsx';
import { PausedNotice } from './pause/paused-notice.tsx';
import styles from './schedules.module.css';

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
          <IconButton icon={ChevronLeft} label="Earlier" onPress={go(-week)} />
          <Button onPress={() => change({ from: '' })}>This week</Button>
          <IconButton icon={ChevronRight} label="Later" onPress={go(week)} />
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
