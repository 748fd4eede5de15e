import { QueryState } from '../../../ui/state/query-state.tsx';
import table from '../../../ui/list/table.module.css';
import { LoadMore } from '../../../ui/list/load-more.tsx';
import { useStableRows } from '../../../ui/list/use-stable-rows.ts';
import { VirtualTable, type Column } from '../../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { EventName } from './event-name.tsx';

interface RequestTableProps<Row> {
  /** Accessible name. */
  readonly label: string;
  /** What failed to load, for the error title. */
  readonly what: string;
  readonly query: React.ComponentProps<typeof QueryState<readonly Row[]>>['query'] &
    React.ComponentProps<typeof LoadMore>['query'];
  /** Empty state. */
  readonly empty: React.ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
}

/** Sent or received requests, newest first; each row opens one. */
export function RequestTable<Row extends object>(props: RequestTableProps<Row>) {
  const { query, what, empty } = props;
  return (
    <QueryState query={query} what={what}>
      {(rows) => (rows.length === 0 ? empty : <Rows {...props} rows={rows} />)}
    </QueryState>
  );
}

function Rows<Row extends object>({
  rows,
  query,
  what: _what,
  empty: _empty,
  ...shown
}: RequestTableProps<Row> & { readonly rows: readonly Row[] }) {
  const stableRows = useStableRows(rows, shown.keyOf);
  return <VirtualTable {...shown} rows={stableRows} minWidth={640} foot={<LoadMore query={query} />} />;
}

/** The event of the request. */
export const eventColumn: Column<{
  readonly event?: string | undefined;
  readonly action?: string | undefined;
}> = {
  id: 'event',
  header: 'Event',
  cell: ({ event, action }) => <EventName event={event} action={action} />,
};

/** The time of the request. */
export const timeColumn = <Row,>(timestampOf: (row: Row) => string): Column<Row> => ({
  id: 'at',
  header: 'Time',
  width: '118px',
  cell: (row) => (
    <span className={table.muted}>
      <RelativeTime iso={timestampOf(row)} />
    </span>
  ),
});
