import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Checkbox } from '../controls/checkbox.tsx';
import { SortHeader } from '../layout/sort-header.tsx';
import { pressRow } from '../layout/row-press.ts';
import table from '../layout/table.module.css';
import styles from './list.module.css';
import { useListKeys } from './use-list-keys.ts';
import type { Selection } from './use-selection.ts';

/** A column of a {@link VirtualTable}. */
export interface Column<Row> {
  readonly id: string;
  readonly header: React.ReactNode;
  /** As CSS has it; what is left over when absent. */
  readonly width?: string;
  readonly isNumber?: boolean;
  /** Of a column that the table can be ordered by. */
  readonly sort?: {
    readonly label: string;
    readonly sorted: false | 'asc' | 'desc';
    readonly onSort: () => void;
  };
  readonly cell: (row: Row) => React.ReactNode;
}

interface VirtualTableProps<Row> {
  /** Accessible name. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What a row is about, for its box. */
  readonly nameOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly selection?: Selection;
  /** Two lines in a row. */
  readonly isRoomy?: boolean;
  /** Narrower, it is scrolled sideways, pixels. */
  readonly minWidth?: number;
  readonly foot?: React.ReactNode;
}

/** With fewer rows than these all of them are drawn. */
const mostDrawn = 80;
const heights = { normal: 37, roomy: 53 } as const;

/** A table of any length: only rows in sight are drawn. Keys as in every list. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, columns, keyOf, onOpen, selection, isRoomy = false, minWidth = 0, foot } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const isVirtual = rows.length > mostDrawn;
  // oxlint-disable-next-line react/incompatible-library -- its answers are used where they are asked for, never memoised
  const virtual = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => heights[isRoomy ? 'roomy' : 'normal'],
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  const { active } = useListKeys({
    count: rows.length,
    open: (index) => onOpen?.(rows[index]!),
    ...(selection && {
      select: (index: number, isRange: boolean) =>
        isRange ? selection.extendTo(keyOf(rows[index]!)) : selection.toggle(keyOf(rows[index]!)),
      ...(selection.keys.size > 0 && { clear: () => selection.clear() }),
    }),
    reveal: (index) =>
      isVirtual
        ? virtual.scrollToIndex(index)
        : scroll.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
  });
  const items = isVirtual ? virtual.getVirtualItems() : rows.map((_, index) => ({ index, start: 0, end: 0 }));
  const before = isVirtual ? (items[0]?.start ?? 0) : 0;
  const after = isVirtual ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const width = columns.length + (selection ? 1 : 0);
  return (
    <div ref={scroll} className={table.scroll}>
      <table
        className={`${table.table} ${styles.fixed} ${isRoomy ? table.roomy : ''}`}
        style={{ minWidth }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <Head {...props} />
        <tbody>
          <Space height={before} width={width} />
          {items.map(({ index }) => (
            <Row
              key={keyOf(rows[index]!)}
              {...props}
              row={rows[index]!}
              index={index}
              isActive={index === active}
              measure={isVirtual ? virtual.measureElement : undefined}
            />
          ))}
          <Space height={after} width={width} />
        </tbody>
      </table>
      {foot}
    </div>
  );
}

function Head<Row>({ rows, columns, selection }: VirtualTableProps<Row>) {
  const chosen = selection?.keys.size ?? 0;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" className={styles.choice}>
            <Checkbox
              label="Select all"
              isLabelHidden
              isSelected={chosen > 0 && chosen === rows.length}
              isIndeterminate={chosen > 0 && chosen < rows.length}
              onChange={(isSelected) => selection.setAll(isSelected)}
            />
          </th>
        )}
        {columns.map(({ id, header, width, isNumber = false, sort }) =>
          sort ? (
            <SortHeader key={id} {...sort} {...(width !== undefined && { width })} />
          ) : (
            <th key={id} scope="col" style={{ width }} className={isNumber ? table.number : undefined}>
              {header}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

interface RowProps<Row> extends VirtualTableProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly isActive: boolean;
  readonly measure: ((element: Element | null) => void) | undefined;
}

function Row<Row>(props: RowProps<Row>) {
  const { row, index, isActive, measure, columns, keyOf, nameOf, onOpen, selection } = props;
  const isSelected = selection?.keys.has(keyOf(row));
  return (
    <tr
      ref={measure}
      data-index={index}
      data-active={isActive || undefined}
      className={onOpen ? table.row : undefined}
      aria-rowindex={index + 2}
      {...(selection && { 'aria-selected': isSelected === true })}
      {...(onOpen && pressRow(() => onOpen(row)))}
    >
      {selection && (
        <td>
          <Checkbox
            label={`Select ${nameOf(row)}`}
            isLabelHidden
            isSelected={isSelected === true}
            onChange={() => selection.toggle(keyOf(row))}
          />
        </td>
      )}
      {columns.map(({ id, isNumber = false, cell }) => (
        <td key={id} className={isNumber ? table.number : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Stands for rows that are out of sight. */
function Space({ height, width }: { readonly height: number; readonly width: number }) {
  if (height <= 0) return null;
  return (
    // Nothing to be read and nothing to be pressed.
    <tr data-space role="presentation">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it is no control, only height */}
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}
