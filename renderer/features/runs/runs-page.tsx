import { CalendarRange, FilterX, History } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useRuns } from '../../api/queries/runs/run-list-queries.ts';
import { useQueryParams } from '../../app/address.ts';
import { systemClock } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { boundsOf, startOfDay } from '../../format/day-clock.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { useSelection } from '../../ui/list/use-selection.ts';
import { IdleQuote } from '../idle-quote/idle-quote.tsx';
import { RunBulkBar } from './bulk/run-bulk-bar.tsx';
import { RunFilterBar } from './filter/run-filter-bar.tsx';
import {
  countConditions,
  queryFields,
  readRunQuery,
  toRunFilter,
  writeRunQuery,
  type RunQuery,
} from './filter/run-query.ts';
import { HeatMap } from './heat-map/heat-map.tsx';
import { keyOfRun, RunTable } from './list/run-table.tsx';
import { ViewMenu } from './views/view-menu.tsx';

const minuteMs = 60_000;
const noConditions = Object.fromEntries(queryFields.map((field) => [field, undefined]));

/** The run history of all workflows. */
export function RunsPage() {
  usePreferences();
  const [params, change] = useQueryParams();
  const query = useMemo(() => readRunQuery(params), [params]);
  const update = (changes: Partial<RunQuery>): void => change(writeRunQuery({ ...query, ...changes }));
  const isCalendar = params.get('calendar') === 'yes';
  return (
    <Page
      title="Runs"
      actions={
        <>
          <IconButton
            icon={CalendarRange}
            label={isCalendar ? 'Hide calendar' : 'Show calendar'}
            pressed={isCalendar}
            onPress={() => change({ calendar: isCalendar ? '' : 'yes' })}
          />
          <ViewMenu
            query={toSearchText(query)}
            onOpen={(view) => change({ ...noConditions, ...Object.fromEntries(new URLSearchParams(view)) })}
          />
        </>
      }
    >
      <RunFilterBar query={query} onChange={update} onClear={() => change(noConditions)} />
      {isCalendar && (
        <HeatMap
          name={query.name}
          chosen={query.from === query.to ? query.from : ''}
          onChoose={(date) => update({ from: date, to: date, range: '' })}
        />
      )}
      <RunList query={query} onClear={() => change(noConditions)} />
    </Page>
  );
}

/** Formats the query as in an address. */
const toSearchText = (query: RunQuery): string =>
  new URLSearchParams(
    Object.entries(writeRunQuery(query)).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();

function RunList({ query, onClear }: { readonly query: RunQuery; readonly onClear: () => void }) {
  // Rounded to minutes, so that a time filter is stable between renders.
  const now = Math.floor(systemClock.now() / minuteMs) * minuteMs;
  const deferred = useDeferredValue(query);
  const filter = useMemo(
    () => toRunFilter(deferred, { now, today: startOfDay(now), boundsOf }),
    [deferred, now],
  );
  const cache = useQueryClient();
  const runs = useRuns(filter);
  const all = useMemo(() => runs.data?.pages.flatMap(({ dagRuns }) => dagRuns) ?? [], [runs.data]);
  const keys = useMemo(() => all.map(keyOfRun), [all]);
  const selection = useSelection(keys);
  return (
    <>
      <RunBulkBar
        runs={all.filter((run) => selection.keys.has(keyOfRun(run)))}
        selection={selection}
        onDeleted={() => void cache.invalidateQueries({ queryKey: ['runs'] })}
      />
      <QueryState query={runs} what="The runs">
        {() => {
          if (all.length > 0)
            return <RunTable runs={all} selection={selection} foot={<LoadMore query={runs} />} />;
          // A page may be empty before the end of the list.
          if (runs.hasNextPage) return <LoadMore query={runs} />;
          return countConditions(query) > 0 ? <NoMatchingRuns onClear={onClear} /> : <NoRuns />;
        }}
      </QueryState>
    </>
  );
}

function NoRuns() {
  return (
    <EmptyState icon={History} title="No runs yet">
      <p>Runs started here, from the command line, through the API or by a schedule appear here.</p>
      <IdleQuote />
    </EmptyState>
  );
}

function NoMatchingRuns({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState icon={FilterX} title="No matching runs">
      <Button onPress={onClear}>Clear filters</Button>
    </EmptyState>
  );
}
