import { CircleCheck, CircleDashed, CircleX, type LucideIcon, RotateCw, SearchX } from 'lucide-react';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, isMissing, QueryState } from '../../ui/state.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import table from '../../ui/list/list.module.css';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { useStableRows } from '../../ui/list/row-state.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './webhooks.module.css';

interface EventNameProps {
  readonly event: string | undefined;
  readonly action?: string | undefined;
}

/** An event with its action, `issues.opened`. */
export function EventName({ event, action }: EventNameProps) {
  if (event === undefined) return <span className={styles.action}>no event</span>;
  return (
    <span className={styles.cut}>
      {event}
      {action !== undefined && <span className={styles.action}>.{action}</span>}
    </span>
  );
}

export type OutcomeTone = 'good' | 'bad' | 'quiet';

const icons: Readonly<Record<OutcomeTone, LucideIcon>> = {
  good: CircleCheck,
  bad: CircleX,
  quiet: CircleDashed,
};

interface OutcomeProps {
  readonly tone: OutcomeTone;
  readonly children: string;
}

/** The result of a request, as icon, text and color. */
export function Outcome({ tone, children }: OutcomeProps) {
  const Icon = icons[tone];
  return (
    <span className={styles.outcome} data-tone={tone}>
      <Icon size={14} aria-hidden="true" />
      <span className={styles.cut} title={children}>
        {children}
      </span>
    </span>
  );
}

interface RequestDialogProps<Detail> {
  readonly title: string;
  /** What failed to load, for the error title. */
  readonly what: string;
  readonly query: React.ComponentProps<typeof QueryState<Detail>>['query'];
  /** The action that repeats the request. */
  readonly again: {
    readonly label: string;
    readonly operation: Parameters<typeof useCan>[0];
    readonly isPending: boolean;
    readonly run: () => void;
  };
  readonly onClose: () => void;
  readonly children: (detail: Detail) => React.ReactNode;
}

/** One sent or received request, with its actions. */
export function RequestDialog<Detail>(props: RequestDialogProps<Detail>) {
  const { title, what, query, again, onClose, children } = props;
  const may = useCan(again.operation);
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <QueryState query={query} what={what} missing={<Gone what={what} />}>
        {(detail) => <div className={styles.exchange}>{children(detail)}</div>}
      </QueryState>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
        <Button
          isDisabled={isMissing(query.error)}
          variant="primary"
          icon={RotateCw}
          isPending={again.isPending}
          unavailable={may.reason}
          onPress={again.run}
        >
          {again.label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Gone = ({ what }: { readonly what: string }) => (
  <EmptyState
    icon={SearchX}
    title={`${what.replace(/^This (.)/, (_, first: string) => first.toUpperCase())} not found`}
  >
    <p>Old deliveries are removed automatically.</p>
  </EmptyState>
);

/** The headers of a request or response. */
export function RequestSection({
  title,
  children,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
}) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

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
  readonly getKey: (row: Row) => string;
  readonly getName: (row: Row) => string;
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
  const stableRows = useStableRows(rows, shown.getKey);
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
export const timeColumn = <Row,>(getTimestamp: (row: Row) => string): Column<Row> => ({
  id: 'at',
  header: 'Time',
  width: '118px',
  cell: (row) => (
    <span className={table.muted}>
      <RelativeTime iso={getTimestamp(row)} />
    </span>
  ),
});
