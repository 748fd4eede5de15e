import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { CalendarEntryView } from '../../../core/contract/schedules.ts';
import { useBridge } from '../../api/bridge.ts';
import { calendarKey } from '../../api/workflow-queries.ts';
import { addDays } from '../../format/time.ts';
import { LoadMore } from '../../ui/list/list-end.tsx';
import type { TableSection } from '../../ui/list/table-row.tsx';
import { QueryState } from '../../ui/state.tsx';
import type { CalendarInput } from './day-view.tsx';
import { EntryTable } from './entry-list.tsx';
import { formatRuns } from './hour-counts.ts';
import { formatWeekday } from './week-grid.tsx';

const refreshMs = 60_000;
const maxDays = 31;
/** Runs per day; 23 on the day on which clocks go forward. */
const hourlyRuns = 23;

interface AgendaViewProps {
  readonly date: string;
  readonly filter: Pick<CalendarInput, 'name' | 'tags' | 'group' | 'frequency' | 'zone'>;
}

/** All scheduled times in order, day by day. Frequent schedules of a day are one collapsed section. */
export function AgendaView({ date, filter }: AgendaViewProps) {
  const bridge = useBridge();
  const days = useInfiniteQuery({
    queryKey: [...calendarKey, 'agenda', date, filter],
    queryFn: ({ pageParam }) =>
      bridge.call('schedules.calendar', { ...filter, fromDate: pageParam, toDate: pageParam }),
    initialPageParam: date,
    getNextPageParam: (_page, pages) => (pages.length < maxDays ? addDays(date, pages.length) : undefined),
    refetchInterval: refreshMs,
    placeholderData: (previous) => previous,
  });
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const pages = days.data?.pages;
  const sections = useMemo(
    () => (pages ?? []).flatMap(({ entries }, index) => listSections(addDays(date, index), entries, folded)),
    [pages, date, folded],
  );
  return (
    <QueryState query={days} what="The agenda">
      {() => (
        <EntryTable
          label="Agenda"
          entries={sections.flatMap(({ rows }) => rows)}
          sections={sections}
          onFold={(id, isFolded) => setFolded(new Map(folded).set(id, isFolded))}
          foot={<LoadMore query={days} />}
        />
      )}
    </QueryState>
  );
}

/** Returns the sections of a day: its infrequent schedules, and the frequent ones, which start collapsed. */
function listSections(
  date: string,
  entries: readonly CalendarEntryView[],
  folded: ReadonlyMap<string, boolean>,
): TableSection<CalendarEntryView>[] {
  const { frequent = [], infrequent = [] } = Object.groupBy(entries, (entry) =>
    entry.frequent === true || entry.count >= hourlyRuns ? 'frequent' : 'infrequent',
  );
  const section = (id: string, name: string, rows: CalendarEntryView[], isFoldedFirst: boolean) => ({
    id,
    name,
    rows,
    summary: summarize(rows),
    isFolded: folded.get(id) ?? isFoldedFirst,
  });
  const day = formatWeekday(date);
  return [
    section(date, day, infrequent, false),
    ...(frequent.length === 0
      ? []
      : [section(`${date} frequent`, `${day}, hourly or more often`, frequent, true)]),
  ];
}

function summarize(rows: readonly CalendarEntryView[]): string {
  const runs = rows.reduce((sum, { count }) => sum + count, 0);
  const workflows = new Set(rows.map(({ fileName }) => fileName)).size;
  if (runs === 0) return 'No runs';
  return `${formatRuns(runs)} of ${pluralize(workflows, 'workflow')}`;
}
