import {
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  Filter,
  Plus,
  Rows3,
  RotateCw,
  Trash2,
  X,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import type {
  GatewayColumnView,
  GatewayDomainView,
  GatewayTableView,
} from '../../../core/contract/gateway.ts';
import type { GatewayRowPage, GatewayRowView } from '../../../core/contract/gateway-tables.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useReloadRows, useRowPage, useUpdateRow, type RowsRequest } from '../../api/gateway-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { errorText } from '../../format/error-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { type Selection, useSelection } from '../../ui/list/row-state.ts';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { type CellEdit, readFilter } from './cell.tsx';
import { DeleteRowsDialog, InsertRowDialog, ValueDialog } from './row-dialogs.tsx';
import { type GridOrder, rowId, RowGrid } from './row-grid.tsx';
import styles from './rows.module.css';

/** Rows of a page; fewer for wide tables, so that a page stays quick. */
const pageSize = 100;
const wideColumns = 40;

interface RowsViewProps {
  readonly table: GatewayTableView;
  readonly domains: readonly GatewayDomainView[];
}

/** The rows of a table, in pages, to read and to edit. */
export function RowsView({ table, domains }: RowsViewProps) {
  const may = useCan('gateway.rows');
  const [order, setOrder] = useState<GridOrder>();
  const [filters, setFilters] = useState<Readonly<Record<string, string>>>();
  /** Cursors of the pages up to the current one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const request = useMemo(() => makeRequest(table, order, filters), [table, order, filters]);
  const page = useRowPage(request, cursors.at(-1), may.allowed);
  const first = useRowPage(request, undefined, may.allowed);
  if (!may.allowed) return <Notice tone="info">{may.reason}</Notice>;
  const show = (change: () => void) => (): void => {
    change();
    setCursors([]);
  };
  const bar = (
    <RowsBar
      table={table}
      page={page.data}
      hasFilters={filters !== undefined}
      onFilters={show(() => setFilters(filters === undefined ? {} : undefined))}
    />
  );
  return (
    <section className={styles.rows} aria-label={`Rows of ${table.name}`}>
      {page.error !== null && page.data !== undefined && (
        <Notice tone="error">{errorText(page.error)}</Notice>
      )}
      {page.error !== null && page.data === undefined && filters !== undefined ? (
        <>
          {bar}
          <RejectedFilters error={page.error} onClear={() => setFilters({})} />
        </>
      ) : (
        <QueryState query={page} what="The rows">
          {(data) => (
            <>
              {bar}
              <PageOfRows
                key={JSON.stringify([request, cursors.length])}
                {...{ table, domains, request, order, filters }}
                page={data}
                cursor={cursors.at(-1)}
                onOrder={(next) => show(() => setOrder(next))()}
                onFilter={(column, text) => show(() => setFilters({ ...filters, [column]: text }))()}
              />
              <Pager
                page={data}
                info={first.data?.info}
                isFiltered={(request.filters?.length ?? 0) > 0}
                order={order}
                cursors={cursors}
                onGo={setCursors}
              />
            </>
          )}
        </QueryState>
      )}
    </section>
  );
}

/** The error of a filter, such as a value of another type. */
function RejectedFilters({ error, onClear }: { readonly error: unknown; readonly onClear: () => void }) {
  const clear = (
    <Button size="small" icon={X} onPress={onClear}>
      Clear filters
    </Button>
  );
  return (
    <Notice tone="error" action={clear}>
      {errorText(error)}
    </Notice>
  );
}

function makeRequest(
  table: GatewayTableView,
  order: GridOrder | undefined,
  filters: Readonly<Record<string, string>> | undefined,
): RowsRequest {
  const read = Object.entries(filters ?? {}).flatMap(([column, text]) => readFilter(column, text) ?? []);
  return {
    schema: table.schema,
    table: table.name,
    limit: table.columns.length > wideColumns ? pageSize / 2 : pageSize,
    ...(order !== undefined && { order }),
    ...(read.length > 0 && { filters: read }),
  };
}

interface RowsBarProps {
  readonly table: GatewayTableView;
  readonly page: GatewayRowPage | undefined;
  readonly hasFilters: boolean;
  readonly onFilters: () => void;
}

/** Actions on the table. */
function RowsBar({ table, page, hasFilters, onFilters }: RowsBarProps) {
  const [isInserting, setInserting] = useState(false);
  const reload = useReloadRows();
  const unavailable = table.isInsertable ? undefined : page?.readOnly;
  return (
    <div className={styles.bar}>
      <Button size="small" icon={Plus} unavailable={unavailable} onPress={() => setInserting(true)}>
        Insert row
      </Button>
      <Button size="small" icon={Filter} aria-pressed={hasFilters} onPress={onFilters}>
        {hasFilters ? 'Hide filters' : 'Filter'}
      </Button>
      <IconButton size="small" icon={RotateCw} label="Reload rows" onPress={() => void reload()} />
      {page?.readOnly !== undefined && <span className={styles.note}>{page.readOnly}</span>}
      {isInserting && <InsertRowDialog table={table} onClose={() => setInserting(false)} />}
    </div>
  );
}

interface PageOfRowsProps extends RowsViewProps {
  readonly request: RowsRequest;
  readonly cursor: string | undefined;
  readonly page: GatewayRowPage;
  readonly order: GridOrder | undefined;
  readonly filters: Readonly<Record<string, string>> | undefined;
  readonly onOrder: (order: GridOrder | undefined) => void;
  readonly onFilter: (column: string, text: string) => void;
}

function PageOfRows(props: PageOfRowsProps) {
  const { table, domains, request, cursor, page, order, filters, onOrder, onFilter } = props;
  const ids = useMemo(() => page.rows.map(rowId), [page.rows]);
  const selection = useSelection(ids);
  const update = useUpdateRow(request, cursor);
  const [viewed, setViewed] = useState<{ row: GatewayRowView; column: GatewayColumnView }>();
  const canEdit = page.readOnly === undefined;
  const saveValue = (
    row: GatewayRowView,
    column: GatewayColumnView,
    value: string | null,
    expected: string | null,
  ) =>
    update.mutateAsync({
      key: row.key,
      values: { [column.name]: value },
      expected: { [column.name]: expected },
    });
  const save = ({ row, column, cell, value }: CellEdit): Promise<unknown> =>
    saveValue(row, column, value, cell.stored === undefined ? cell.text : cell.stored);
  const storedColumns = useMemo(() => findStoredColumns(table, domains), [table, domains]);
  return (
    <>
      <SelectedBar table={table} page={page} selection={selection} />
      {page.rows.length === 0 && filters === undefined ? (
        <EmptyState icon={Rows3} title="No rows">
          <p>Insert a row, or import a CSV file.</p>
        </EmptyState>
      ) : (
        <RowGrid
          label={table.name}
          columns={table.columns}
          rows={page.rows}
          storedColumns={storedColumns}
          selection={canEdit ? selection : undefined}
          onSave={save}
          onView={(row, column) => setViewed({ row, column })}
          {...{ order, onOrder, filters, onFilter, canEdit }}
        />
      )}
      {viewed && (
        <ValueDialog
          table={table}
          {...viewed}
          isStored={storedColumns.has(viewed.column.name)}
          onSave={
            canEdit && !viewed.column.isGenerated
              ? (value, expected) => saveValue(viewed.row, viewed.column, value, expected)
              : undefined
          }
          onClose={() => setViewed(undefined)}
        />
      )}
    </>
  );
}

interface SelectedBarProps {
  readonly table: GatewayTableView;
  readonly page: GatewayRowPage;
  readonly selection: Selection;
}

/** Actions on the selected rows. */
function SelectedBar({ table, page, selection }: SelectedBarProps) {
  const [isDeleting, setDeleting] = useState(false);
  if (selection.keys.size === 0) return null;
  return (
    <div className={styles.selected} role="status">
      <span>{pluralize(selection.keys.size, 'row')} selected</span>
      <Button size="small" variant="danger" icon={Trash2} onPress={() => setDeleting(true)}>
        Delete…
      </Button>
      <Button size="small" variant="quiet" onPress={() => selection.clear()}>
        Clear selection
      </Button>
      {isDeleting && (
        <DeleteRowsDialog
          table={table}
          keys={page.rows.filter((row) => selection.keys.has(rowId(row))).map(({ key }) => key)}
          onDone={() => {
            setDeleting(false);
            selection.clear();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

/** Returns the columns whose domain presents values but does not read them: they are edited as they are stored. */
function findStoredColumns(
  { columns }: GatewayTableView,
  domains: readonly GatewayDomainView[],
): ReadonlySet<string> {
  const oneWay = columns.filter((column) =>
    domains.some(({ schema, name, body }) => `${schema}.${name}` === column.domain && body === undefined),
  );
  return new Set(oneWay.map(({ name }) => name));
}

interface PagerProps {
  readonly page: GatewayRowPage;
  readonly info: GatewayRowPage['info'];
  readonly isFiltered: boolean;
  readonly order: GridOrder | undefined;
  readonly cursors: readonly string[];
  readonly onGo: (cursors: readonly string[]) => void;
}

const formatCount = (count: number): string => count.toLocaleString('en');

/** The number of rows, and the way to other pages. */
function Pager({ page, info, isFiltered, order, cursors, onGo }: PagerProps) {
  const { nextCursor } = page;
  const isUnindexed =
    order !== undefined && info?.isCountCapped === true && !info.indexed.includes(order.column);
  return (
    <footer className={styles.pager}>
      <span role="status">{describeCount(info, isFiltered)}</span>
      {isUnindexed && (
        <span className={styles.note}>No index on {order.column}: ordering reads the whole table.</span>
      )}
      <nav aria-label="Pages">
        <IconButton
          size="small"
          icon={ChevronsLeft}
          label="First page"
          isDisabled={cursors.length === 0}
          onPress={() => onGo([])}
        />
        <IconButton
          size="small"
          icon={ChevronLeft}
          label="Previous page"
          isDisabled={cursors.length === 0}
          onPress={() => onGo(cursors.slice(0, -1))}
        />
        <span>Page {cursors.length + 1}</span>
        <IconButton
          size="small"
          icon={ChevronRight}
          label="Next page"
          isDisabled={nextCursor === undefined}
          onPress={() => nextCursor !== undefined && onGo([...cursors, nextCursor])}
        />
      </nav>
    </footer>
  );
}

function describeCount(info: GatewayRowPage['info'], isFiltered: boolean): string {
  if (info === undefined) return '';
  const { count, isCountCapped, estimate = 0 } = info;
  if (isCountCapped && !isFiltered && estimate > count) return `About ${formatCount(estimate)} rows`;
  return `${formatCount(count)}${isCountCapped ? '+' : ''} ${count === 1 ? 'row' : 'rows'}`;
}
