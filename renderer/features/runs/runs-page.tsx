import { Bookmark, BookmarkPlus, BookmarkX, CalendarRange, FilterX, Play } from 'lucide-react';
import { useState, useDeferredValue, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useSystemInfo } from '../../api/system-queries.ts';
import { useMe } from '../../api/session-queries.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useRuns } from '../../api/run-queries.ts';
import { useRunCount } from '../../api/statistics-queries.ts';
import type { RunFilter } from '../../api/query-keys.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { systemClock } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import { getDayBounds, startOfDay } from '../../format/time.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { Term } from '../../ui/term.tsx';
import { LoadMore, IdleQuote } from '../../ui/list/list-end.tsx';
import { useSelection } from '../../ui/list/row-state.ts';
import {
  readViews,
  storeViews,
  savedViewsKey,
  withView,
  type SavedView,
  countConditions,
  queryFields,
  readRunQuery,
  toRunFilter,
  writeRunQuery,
  type RunQuery,
} from './run-query.ts';
import { RunBulkBar, getRunKey, RunTable } from './run-table.tsx';
import { RunFilterBar } from './run-filters.tsx';
import { HeatMap } from './heat-map.tsx';
import styles from './runs.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';

interface ViewMenuProps {
  /** The current query. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
}

/** Maximum length in characters, so that it fits in the menu. */
const maxNameLength = 60;

/** Menu of the saved filters of this user. */
function ViewMenu({ query, onOpen }: ViewMenuProps) {
  const home = useSystemInfo().data?.home ?? '';
  const user = useMe().data?.name ?? '';
  const key = savedViewsKey(home, user);
  const [, redraw] = useState(0);
  const [isNaming, setNaming] = useState(false);
  const views = readViews(localStorage, key);
  const current = views.find((view) => view.query === query);
  const store = (next: readonly SavedView[]): void => {
    if (!storeViews(localStorage, key, next))
      showToast('error', 'Could not save the view: browser storage is not available.');
    redraw((count) => count + 1);
  };
  const actions: MenuAction[] = [
    ...views.map((view) => ({
      id: `view ${view.name}`,
      label: view.name,
      icon: Bookmark,
      run: () => onOpen(view.query),
    })),
    current === undefined
      ? {
          id: 'save',
          label: 'Save view…',
          icon: BookmarkPlus,
          beginsGroup: views.length > 0,
          run: () => setNaming(true),
        }
      : {
          id: 'remove',
          label: `Remove "${current.name}"`,
          icon: BookmarkX,
          beginsGroup: true,
          run: () => {
            store(views.filter(({ name }) => name !== current.name));
            showToast('info', `View ${current.name} removed.`);
          },
        },
  ];
  return (
    <>
      <ActionMenu label="Views" actions={actions}>
        <Button icon={Bookmark}>{current?.name ?? 'Views'}</Button>
      </ActionMenu>
      {isNaming && (
        <NameDialog
          onSave={(name) => {
            store(withView(views, { name, query }));
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function NameDialog({
  onSave,
  onClose,
}: {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const isLong = name.trim().length > maxNameLength;
  return (
    <FormDialog
      title="Save view"
      submit={{
        label: 'Save',
        icon: BookmarkPlus,
        isPending: false,
        isBlocked: name.trim() === '' || isLong,
      }}
      error={null}
      onSubmit={() => onSave(name.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        error={isLong ? `Maximum: ${maxNameLength} characters.` : undefined}
        description="Saved in this browser. A view with the same name is replaced."
      />
    </FormDialog>
  );
}

const minuteMs = 60_000;
const noConditions = Object.fromEntries(queryFields.map((field) => [field, undefined]));

/** The run history of all workflows. */
export function RunsPage() {
  usePreferences();
  const [params, change] = useQueryParams();
  const query = useMemo(() => readRunQuery(params), [params]);
  const update = (changes: Partial<RunQuery>): void => change(writeRunQuery({ ...query, ...changes }));
  const isCalendar = params.get('calendar') === 'yes';
  const filter = useRunFilter(query);
  const runs = useRuns(filter);
  return (
    <Page
      title={getPageLabel(paths.runs)}
      beside={<RunCount filter={filter} />}
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
      <RunList runs={runs} isFiltered={countConditions(query) > 0} onClear={() => change(noConditions)} />
    </Page>
  );
}

/** Formats the query as in an address. */
const toSearchText = (query: RunQuery): string =>
  new URLSearchParams(
    Object.entries(writeRunQuery(query)).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();

/** The filter of a query; it follows while the user types. */
function useRunFilter(query: RunQuery): RunFilter {
  // Rounded to minutes, so that a time filter is stable between renders.
  const now = Math.floor(systemClock.now() / minuteMs) * minuteMs;
  const deferred = useDeferredValue(query);
  return useMemo(() => toRunFilter(deferred, { now, today: startOfDay(now), getDayBounds }), [deferred, now]);
}

/** Number of matching runs, with a `+` if there may be more. */
function RunCount({ filter }: { readonly filter: RunFilter }) {
  const { data } = useRunCount(filter);
  if (data === undefined) return null;
  return (
    <span className={styles.total}>
      {data.count.toLocaleString('en')}
      {!data.isComplete && '+'}
    </span>
  );
}

type MatchingRuns = ReturnType<typeof useRuns>;

interface RunListProps {
  readonly runs: MatchingRuns;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function RunList({ runs, isFiltered, onClear }: RunListProps) {
  const cache = useQueryClient();
  const all = useMemo(() => runs.data?.pages.flatMap(({ dagRuns }) => dagRuns) ?? [], [runs.data]);
  const keys = useMemo(() => all.map(getRunKey), [all]);
  const selection = useSelection(keys);
  return (
    <>
      <RunBulkBar
        runs={all.filter((run) => selection.keys.has(getRunKey(run)))}
        selection={selection}
        onDeleted={() => void cache.invalidateQueries({ queryKey: ['runs'] })}
      />
      <QueryState query={runs} what="The runs">
        {() => {
          if (all.length > 0)
            return <RunTable runs={all} selection={selection} foot={<LoadMore query={runs} />} />;
          // A page may be empty before the end of the list.
          if (runs.hasNextPage) return <LoadMore query={runs} />;
          return isFiltered ? <NoMatchingRuns onClear={onClear} /> : <NoRuns />;
        }}
      </QueryState>
    </>
  );
}

function NoRuns() {
  return (
    <EmptyState illustration="runs" title="No runs yet">
      <p>
        Each <Term name="run">run</Term> of a workflow appears here, whether a user, a schedule, the command
        line or the API started it.
      </p>
      <LinkButton href={paths.workflows} icon={Play}>
        Run a workflow
      </LinkButton>
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
