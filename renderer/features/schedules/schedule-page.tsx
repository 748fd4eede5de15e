import { pluralize } from '../../../core/base/text.ts';
import { ChevronLeft, ChevronRight, Pause, Workflow, X } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useSchedulers } from '../../api/system-queries.ts';
import { useMissedRuns } from '../../api/expectation-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { calendarKey, useDags, useScheduleCalendar, useScheduleCounts } from '../../api/workflow-queries.ts';
import { useTimeDerived } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import {
  addDays,
  getDayBounds,
  formatFull,
  readTimeZone,
  startOfWeek,
  toWallTime,
} from '../../format/time.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { IdleQuote } from '../../ui/list/list-end.tsx';
import { Page, ScrollArea } from '../../ui/page.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { countByDate, LateRuns, LateRunsSummary } from '../expectations/expectations.tsx';
import { NewPingButton, PingsView } from '../pings/pings-view.tsx';
import { matchesFilter } from '../organize/workflow-filter.tsx';
import { AgendaView } from './agenda-view.tsx';
import { DayView, HourList } from './day-view.tsx';
import {
  HourTable,
  formatCounts,
  addCounts,
  marks,
  getTotal,
  formatCount,
  type CalendarCounts,
} from './hour-counts.ts';
import { NextTable } from './next-table.tsx';
import { PauseMenu, PausedNotice } from './paused-notice.tsx';
import { readScheduleFilter, ScheduleFilterBar, toCalendarFilter } from './schedule-filter-bar.tsx';
import { SchedulerNotice } from './scheduler-notice.tsx';
import { WeekGrid, formatHour, formatWeekday, type HourRef } from './week-grid.tsx';
import styles from './calendar.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';

const views = [
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
  { value: 'agenda', label: 'Agenda' },
  { value: 'workflows', label: 'Workflows' },
  { value: 'pings', label: 'Pings' },
] as const;
type View = (typeof views)[number]['value'];

const week = 7;
const none: readonly DagSummaryView[] = [];

/** Returns the hour of the clock at an instant in the displayed time zone. */
const getHour = (iso: string): number => Number(toWallTime(Date.parse(iso)).slice(11, 13));

function readHour(text: string | null): HourRef | undefined {
  const [, date, hour] = /^(\d{4}-\d{2}-\d{2})T(\d{2})$/.exec(text ?? '') ?? [];
  return date === undefined || Number(hour) > 23 ? undefined : { date, hour: Number(hour) };
}

const formatHourRef = ({ date, hour }: HourRef): string => `${date}T${String(hour).padStart(2, '0')}`;

/** The state of the page, in its address. */
function usePageState() {
  const [query, change] = useQueryParams();
  const now = readHour(useTimeDerived((at) => toWallTime(at).slice(0, 13)))!;
  const view = views.find(({ value }) => value === query.get('view'))?.value ?? 'week';
  const asked = query.get('from') ?? '';
  const date = getDayBounds(asked) === undefined ? now.date : asked;
  const filter = readScheduleFilter(query);
  const step = view === 'week' ? week : 1;
  return {
    change,
    now,
    view,
    date: view === 'week' ? startOfWeek(date) : date,
    filter,
    hour: readHour(query.get('hour')),
    go: (days: number) => () => change({ from: addDays(date, days * step), hour: '' }),
    today: () => change({ from: '', hour: '' }),
  };
}

type PageState = ReturnType<typeof usePageState>;

/** Past and upcoming runs of all schedules: a week or day by hour, an agenda, and the workflows by next time. */
export function SchedulePage() {
  usePreferences();
  useSystemChanges('dags', calendarKey);
  const state = usePageState();
  const { view, date, filter, change } = state;
  const all = useDags().data;
  const dags = useMemo(
    () =>
      all?.filter(({ schedule }) => Object.values(schedule).some((expressions) => expressions.length > 0)),
    [all],
  );
  return (
    <Page
      title={getPageLabel(paths.schedule)}
      beside={<span className={styles.zone}>Times in {readTimeZone().name.replaceAll('_', ' ')}</span>}
      actions={<PageActions state={state} />}
    >
      <SchedulerNotice />
      <PausedNotice />
      {view === 'pings' ? (
        <PingsView />
      ) : dags?.length === 0 ? (
        <EmptyState illustration="schedule" title="No scheduled workflows">
          <p>Open a workflow and choose on its Schedule tab when it runs.</p>
          <LinkButton href={paths.workflows} icon={Workflow}>
            Workflows
          </LinkButton>
          <IdleQuote />
        </EmptyState>
      ) : (
        <>
          <ScheduleFilterBar dags={dags ?? none} filter={filter} onChange={(changes) => change(changes)} />
          {view === 'workflows' ? (
            <NextTable dags={(dags ?? none).filter((dag) => matchesFilter(dag, { ...filter, status: [] }))} />
          ) : view === 'agenda' ? (
            <AgendaView date={date} filter={{ ...toCalendarFilter(filter), zone: readTimeZone().name }} />
          ) : (
            <Calendar state={state} />
          )}
        </>
      )}
    </Page>
  );
}

function PageActions({ state: { view, change, go, today } }: { readonly state: PageState }) {
  const unit = view === 'week' ? 'week' : 'day';
  return (
    <>
      {view === 'pings' ? <NewPingButton /> : <PauseButton />}
      {view !== 'workflows' && view !== 'pings' && (
        <>
          <IconButton icon={ChevronLeft} label={`Previous ${unit}`} onPress={go(-1)} />
          <Button onPress={today}>{view === 'week' ? 'This week' : 'Today'}</Button>
          <IconButton icon={ChevronRight} label={`Next ${unit}`} onPress={go(1)} />
        </>
      )}
      <Segmented
        label="View"
        value={view}
        choices={views}
        onChange={(value: View) => change({ view: value === 'week' ? '' : value, hour: '' })}
      />
    </>
  );
}

/** The week or the day with its counts. */
function Calendar({ state }: { readonly state: PageState }) {
  const { view, date } = state;
  const filter = { ...toCalendarFilter(state.filter), zone: readTimeZone().name };
  const lastDate = view === 'week' ? addDays(date, week - 1) : date;
  const counts = useScheduleCounts({ ...filter, fromDate: date, toDate: lastDate });
  return (
    <QueryState query={counts} what="The schedule">
      {(data) => <Counted data={data} state={state} filter={filter} lastDate={lastDate} />}
    </QueryState>
  );
}

interface CountedProps {
  readonly data: CalendarCounts;
  readonly state: PageState;
  readonly filter: React.ComponentProps<typeof HourList>['filter'];
  readonly lastDate: string;
}

function Counted({ data, state, filter, lastDate }: CountedProps) {
  const { view, date, now, hour, change } = state;
  const table = useMemo(() => new HourTable(data, getHour), [data]);
  const names = useNames({ ...filter, fromDate: date, toDate: lastDate }, data);
  const select = (ref: HourRef | undefined): void => change({ hour: ref && formatHourRef(ref) });
  const all = addCounts(data.hours);
  const missed = useMissedRuns({ fromDate: date, toDate: lastDate, zone: readTimeZone().name }).data ?? [];
  return (
    <ScrollArea className={styles.body} aria-label="Scheduled runs">
      <div className={styles.summary}>
        <strong>
          {formatCount(getTotal(all))} scheduled {getTotal(all) === 1 ? 'run' : 'runs'} of{' '}
          {pluralize(data.workflows, 'workflow')}
        </strong>
        <span>{all.due === getTotal(all) ? 'all upcoming' : formatCounts(all)}</span>
        <LateRunsSummary missed={missed} />
        <Legend />
      </div>
      {view === 'week' ? (
        <div className={styles.split}>
          <WeekGrid
            dates={Array.from({ length: week }, (_, index) => addDays(date, index))}
            table={table}
            now={now}
            selected={hour}
            onSelect={(ref) => select(isSame(ref, hour) ? undefined : ref)}
            onDay={(day) => change({ view: 'day', from: day, hour: '' })}
            names={names}
            late={countByDate(missed)}
          />
          {hour !== undefined && (
            <aside className={styles.panel} aria-label="Selected hour">
              <div className={styles.panelHead}>
                <h2>
                  {formatWeekday(hour.date)}, {formatHour(hour.hour)}
                </h2>
                <IconButton size="small" icon={X} label="Close" onPress={() => select(undefined)} />
              </div>
              <p className={styles.panelCounts}>{formatCounts(table.at(hour.date, hour.hour))}</p>
              <HourList key={formatHourRef(hour)} {...hour} filter={filter} />
            </aside>
          )}
        </div>
      ) : (
        <div className={styles.dayArea}>
          <DayView date={date} table={table} now={now} selected={hour} onSelect={select} filter={filter} />
        </div>
      )}
      <LateRuns missed={missed} />
      <MissedList />
    </ScrollArea>
  );
}

const isSame = (a: HourRef, b: HourRef | undefined): boolean => a.date === b?.date && a.hour === b.hour;

/** With more workflows, the hours show counts only. */
const maxNamedWorkflows = 40;
const maxNamesShown = 2;

/** Names of the single runs of an hour, if there are one or two, so that a small calendar can be read at a glance. */
function useNames(
  input: React.ComponentProps<typeof HourList>['filter'] & {
    readonly fromDate: string;
    readonly toDate: string;
  },
  { workflows }: CalendarCounts,
): ReadonlyMap<string, readonly string[]> {
  const isFew = workflows <= maxNamedWorkflows;
  const entries = useScheduleCalendar(input, isFew).data?.entries;
  return useMemo(() => {
    const names = new Map<string, string[]>();
    if (!isFew || entries === undefined) return names;
    const single = new Map<string, string[]>();
    for (const { count, first, date, name } of entries) {
      if (count !== 1) continue;
      const key = `${date} ${getHour(first)}`;
      single.set(key, [...(single.get(key) ?? []), name]);
    }
    for (const [key, found] of single) if (found.length <= maxNamesShown) names.set(key, found);
    return names;
  }, [isFew, entries]);
}

const Legend = () => (
  <ul className={styles.legend} aria-hidden="true">
    {Object.entries(marks).map(([mark, label]) => (
      <li key={mark}>
        <i className={styles.mark} data-mark={mark} />
        {label}
      </li>
    ))}
    <li>
      <span className={styles.frequent}>+12</span>
      Further runs
    </li>
  </ul>
);

/** Button that pauses all schedules; hidden while they are paused, because a notice says so. */
function PauseButton() {
  const schedulers = useSchedulers().data;
  const may = useCan('schedules.pause');
  if (schedulers === undefined || schedulers.pause !== undefined || !may.allowed) return null;
  return (
    <PauseMenu>
      <Button icon={Pause}>Pause…</Button>
    </PauseMenu>
  );
}

const maxMissedShown = 10;

/** Messages about runs missed while no scheduler was running, the machine was asleep or schedules were paused. */
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
