import { ArrowDown, ArrowUp, KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import type { GatewayColumnView } from '../../../core/contract/gateway.ts';
import type { GatewayRowView } from '../../../core/contract/gateway-tables.ts';
import { ScrollArea } from '../../ui/page.tsx';
import type { Selection } from '../../ui/list/row-state.ts';
import list from '../../ui/list/list.module.css';
import { CellText, isNumberType, shortType, CellEditor, type CellEdit } from './cell.tsx';
import styles from './rows.module.css';

/** The order of the rows. */
export interface GridOrder {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

export interface RowGridProps {
  /** Accessible name. */
  readonly label: string;
  readonly columns: readonly GatewayColumnView[];
  readonly rows: readonly GatewayRowView[];
  readonly order: GridOrder | undefined;
  readonly onOrder: (order: GridOrder | undefined) => void;
  /** Absent if rows cannot be selected. */
  readonly selection: Selection | undefined;
  /** Filters as typed, by column; absent if they are not shown. */
  readonly filters: Readonly<Record<string, string>> | undefined;
  readonly onFilter: (column: string, text: string) => void;
  readonly canEdit: boolean;
  /** Columns that are edited as they are stored. */
  readonly storedColumns: ReadonlySet<string>;
  /** Saves a value; rejects with the error to show. */
  readonly onSave: (edit: CellEdit) => Promise<unknown>;
  /** Shows a value in full. */
  readonly onView: (row: GatewayRowView, column: GatewayColumnView) => void;
}

/** The key of a row in lists. */
export const rowId = ({ key }: Pick<GatewayRowView, 'key'>): string => JSON.stringify(key);

interface Position {
  readonly row: number;
  readonly column: number;
}

/** Movements by key, in rows and columns. */
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -10_000],
  End: [0, 10_000],
};

/** Rows of a table, moved through with the arrow keys: Enter edits or shows a value, Space selects the row. */
export function RowGrid(props: RowGridProps) {
  const { label, columns, rows, selection, canEdit, onView } = props;
  const [active, setActive] = useState<Position>({ row: 0, column: 0 });
  const [edited, setEdited] = useState<Position>();
  const body = useRef<HTMLTableSectionElement>(null);
  const at = {
    row: Math.min(active.row, rows.length - 1),
    column: Math.min(active.column, columns.length - 1),
  };
  const focus = (to: Position): void => {
    const row = Math.max(0, Math.min(rows.length - 1, to.row));
    const column = Math.max(0, Math.min(columns.length - 1, to.column));
    setActive({ row, column });
    const cells = body.current?.rows[row]?.querySelectorAll<HTMLElement>('[data-cell]');
    cells?.[column]?.focus();
  };
  const open = (to: Position): void => {
    const [row, column] = [rows[to.row]!, columns[to.column]!];
    if (!canEdit || column.isGenerated || row.cells[to.column]?.isCut === true) onView(row, column);
    else setEdited(to);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (edited !== undefined || event.target instanceof HTMLInputElement) return;
    const move = moves[event.key];
    if (move !== undefined) focus({ row: at.row + move[0], column: at.column + move[1] });
    else if (event.key === 'Enter' || event.key === 'F2') open(at);
    else if (event.key === ' ' && selection !== undefined) selection.toggle(rowId(rows[at.row]!));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ScrollArea className={styles.grid} aria-label={`Rows of ${label}`} tabIndex={-1}>
      {/* Cells are reached and edited with the keys of a grid. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
      <table role="grid" aria-label={label} aria-rowcount={-1} aria-multiselectable={selection !== undefined}>
        <GridHead {...props} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys that bubble from its cells */}
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row, index) => (
            <GridRow
              key={rowId(row) === '[]' ? index : rowId(row)}
              grid={props}
              row={row}
              active={at.row === index ? at.column : undefined}
              edited={edited?.row === index ? edited.column : undefined}
              onFocus={(column) => setActive({ row: index, column })}
              onOpen={(column) => open({ row: index, column })}
              onLeave={() => {
                setEdited(undefined);
                focus({ row: index, column: edited?.column ?? at.column });
              }}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** Names, types and filters of the columns; a click orders the rows. */
function GridHead(props: RowGridProps) {
  const { columns, rows, selection, filters, onFilter } = props;
  const isAll = selection !== undefined && rows.length > 0 && selection.keys.size === rows.length;
  return (
    <thead>
      <tr>
        {selection !== undefined && (
          <th className={styles.check}>
            <input
              type="checkbox"
              className={list.pick}
              aria-label="Select all rows of this page"
              checked={isAll}
              onChange={() => selection.setAllSelected(!isAll)}
            />
          </th>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.name} column={column} {...props} />
        ))}
      </tr>
      {filters !== undefined && (
        <tr className={styles.filters}>
          {selection !== undefined && <td aria-label="Filters" />}
          {columns.map(({ name }) => (
            <td key={name}>
              <FilterInput
                key={filters[name] ?? ''}
                name={name}
                text={filters[name] ?? ''}
                onFilter={(text) => onFilter(name, text)}
              />
            </td>
          ))}
        </tr>
      )}
    </thead>
  );
}

function ColumnHead({
  column,
  order,
  onOrder,
}: Pick<RowGridProps, 'order' | 'onOrder'> & { readonly column: GatewayColumnView }) {
  const { name, type, isKey } = column;
  const sorted = order?.column === name ? order.direction : undefined;
  const ariaSort = sorted === undefined ? 'none' : sorted === 'asc' ? 'ascending' : 'descending';
  const next = (): void => {
    if (sorted === undefined) onOrder({ column: name, direction: 'asc' });
    else onOrder(sorted === 'asc' ? { column: name, direction: 'desc' } : undefined);
  };
  return (
    <th scope="col" aria-sort={ariaSort} data-number={isNumberType(type) || undefined}>
      <button type="button" onClick={next} title={column.comment}>
        <span className={styles.name}>
          {isKey && <KeyRound size={12} aria-label="Primary key" />}
          {name}
          {sorted === 'asc' && <ArrowUp size={12} aria-hidden="true" />}
          {sorted === 'desc' && <ArrowDown size={12} aria-hidden="true" />}
        </span>{' '}
        <span className={styles.type}>{shortType(column)}</span>
      </button>
    </th>
  );
}

interface FilterInputProps {
  readonly name: string;
  readonly text: string;
  readonly onFilter: (text: string) => void;
}

/** The filter of a column, applied with Enter or when the focus leaves. */
function FilterInput({ name, text, onFilter }: FilterInputProps) {
  const [typed, setTyped] = useState(text);
  const apply = (): void => {
    if (typed !== text) onFilter(typed);
  };
  return (
    <input
      aria-label={`Filter ${name}`}
      placeholder="contains"
      title="A part of the value, or = 5, > 5, != 5, null, not null"
      spellCheck="false"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
        if (event.key === 'Escape') onFilter('');
        event.stopPropagation();
      }}
    />
  );
}

interface GridRowProps {
  readonly grid: RowGridProps;
  readonly row: GatewayRowView;
  /** Column that the Tab key reaches. */
  readonly active: number | undefined;
  readonly edited: number | undefined;
  readonly onFocus: (column: number) => void;
  readonly onOpen: (column: number) => void;
  readonly onLeave: () => void;
}

function GridRow({ grid, row, active, edited, onFocus, onOpen, onLeave }: GridRowProps) {
  const { columns, selection, storedColumns, onSave } = grid;
  const id = rowId(row);
  const isSelected = selection?.keys.has(id) === true;
  return (
    <tr
      aria-selected={selection === undefined ? undefined : isSelected}
      data-selected={isSelected || undefined}
    >
      {selection !== undefined && (
        <td className={styles.check}>
          <input
            type="checkbox"
            className={list.pick}
            aria-label={`Select row ${row.key.join(', ')}`}
            checked={isSelected}
            onClick={(event) => {
              if (event.shiftKey) selection.extendSelectionTo(id);
              else selection.toggle(id);
            }}
            onChange={() => {}}
          />
        </td>
      )}
      {columns.map((column, index) => {
        const cell = row.cells[index] ?? { text: null };
        const isEdited = edited === index;
        return (
          <td
            key={column.name}
            data-cell=""
            data-number={isNumberType(column.type) || undefined}
            data-edited={isEdited || undefined}
            tabIndex={active === index ? 0 : -1}
            onFocus={() => onFocus(index)}
            onDoubleClick={() => onOpen(index)}
          >
            {isEdited ? (
              <CellEditor
                column={column}
                cell={cell}
                initial={(storedColumns.has(column.name) ? cell.stored : undefined) ?? cell.text}
                onSave={(value) => onSave({ row, column, cell, value })}
                onLeave={onLeave}
              />
            ) : (
              <CellText cell={cell} />
            )}
          </td>
        );
      })}
    </tr>
  );
}
