import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useDeferredValue, useImperativeHandle, useMemo, useRef } from 'react';
import { usePreferences, type Preferences } from '../../base/preferences.ts';
import type { MenuPosition } from '../menu.tsx';
import { clickableRows, rowMenus } from './row-controls.tsx';
import table from './list.module.css';
import { HintLayer } from './hint-layer.tsx';
import {
  getHeight,
  listEntries,
  type TableEntry,
  type TableSection,
  TableHead,
  TableRow,
  TableSectionRow,
} from './table-row.tsx';
import { useListKeys } from './filter-bar.tsx';
import { useLatest, type Selection } from './row-state.ts';

/** A column of a {@link VirtualTable}. */
export interface Column<Row> {
  readonly id: string;
  readonly header: React.ReactNode;
  /** CSS width. Default: the remaining space. */
  readonly width?: string;
  readonly isNumber?: boolean;
  /** For a sortable column. */
  readonly sort?: {
    readonly label: string;
    readonly sorted: false | 'asc' | 'desc';
    readonly onSort: () => void;
  };
  /** Depends only on the row: an unchanged row object is not rerendered while the columns stay the same. */
  readonly cell: (row: Row) => React.ReactNode;
}

export interface VirtualTableProps<Row> {
  /** Accessible name. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Groups the rows into sections. */
  readonly sections?: readonly TableSection<Row>[] | undefined;
  readonly onFold?: (section: string, isFolded: boolean) => void;
  readonly columns: readonly Column<Row>[];
  readonly getKey: (row: Row) => string;
  /** Returns the subject of a row, for its checkbox. */
  readonly getName: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly selection?: Selection;
  /** Whether rows have two lines. */
  readonly isRoomy?: boolean;
  /** Minimum width in pixels, below which it scrolls sideways. */
  readonly minWidth?: number;
  readonly foot?: React.ReactNode;
  /** Called for a right click on a row, and by its {@link RowMenuButton}. */
  readonly onMenu?: (row: Row, at: MenuPosition) => void;
  /** Receives a function that returns the focused row, or else the current one. */
  readonly current?: React.RefObject<(() => Row | undefined) | null>;
}

/** With fewer rows, all are rendered. */
const maxDrawn = 80;
/** Rows rendered outside the viewport on each side, after the visible ones. */
const maxOverscan = 2;

/**
 * A table of any length: only visible rows are rendered, with the height of the density, and only when they
 * have changed. It supports the shortcuts of all lists.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, sections, columns, getKey, onOpen, selection, isRoomy = false } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const preferences = usePreferences();
  const entries = useMemo(() => listEntries(rows, sections, getKey), [rows, sections, getKey]);
  const latest = useLatest({ ...props, entries });
  const actions = useMemo(() => makeActions(latest), [latest]);
  const lines = useLinesInSight({ entries, isRoomy, density: preferences.density, scroll });
  const { active } = useListKeys({
    count: entries.length,
    open: actions.open,
    fold: actions.fold,
    ...(selection && {
      select: actions.select,
      ...(selection.keys.size > 0 && { clear: () => selection.clear() }),
    }),
    reveal: lines.reveal,
  });
  useImperativeHandle(props.current, () => () => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    const isOwn = focused !== null && focused !== undefined && scroll.current?.contains(focused) === true;
    const entry = latest.current.entries[isOwn ? Number(focused.dataset['index']) : active];
    return entry?.kind === 'row' ? entry.row : undefined;
  });
  const width = columns.length + (selection ? 1 : 0);
  const line = { props, preferences, actions };
  return (
    <div
      ref={scroll}
      className={table.scroll}
      // Without checkboxes to focus, the keyboard scrolls the table itself.
      {...(!selection && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table
        className={`${table.table} ${table.fixed} ${isRoomy ? table.roomy : ''}`}
        style={{ minWidth: props.minWidth ?? 0 }}
        aria-label={label}
        aria-rowcount={entries.length + 1}
      >
        <TableHead {...props} />
        <tbody {...(onOpen && clickableRows(actions.open))} {...(props.onMenu && rowMenus(actions.menu))}>
          <Space height={lines.before} width={width} />
          {lines.indices.map((index) => (
            <Line
              key={entries[index]!.id}
              {...line}
              entry={entries[index]!}
              index={index}
              isActive={index === active}
            />
          ))}
          <Space height={lines.after} width={width} />
        </tbody>
      </table>
      {props.foot}
      <HintLayer area={scroll} />
    </div>
  );
}

interface VisibleRowsOptions {
  readonly entries: readonly TableEntry<unknown>[];
  readonly isRoomy: boolean;
  readonly density: Preferences['density'];
  readonly scroll: React.RefObject<HTMLDivElement | null>;
}

/**
 * Returns the indexes of the rendered rows, the heights of the spacers before and after them, and a function
 * that scrolls to a row.
 */
function useLinesInSight({ entries, isRoomy, density, scroll }: VisibleRowsOptions) {
  const isVirtual = entries.length > maxDrawn;
  const overscan = useDeferredValue(maxOverscan, 0);
  const lines = useMemo(
    () => entries.map(({ id, kind }) => ({ id, height: getHeight(kind, isRoomy, density) })),
    [entries, isRoomy, density],
  );
  // The virtualizer adds up all heights again whenever this function is another one.
  const getItemKey = useCallback((index: number) => lines[index]!.id, [lines]);
  // oxlint-disable-next-line react/incompatible-library -- its results are never memoized
  const virtual = useVirtualizer({
    count: isVirtual ? entries.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => lines[index]!.height,
    overscan,
    getItemKey,
  });
  if (!isVirtual)
    return {
      indices: entries.map((_, index) => index),
      before: 0,
      after: 0,
      reveal: (index: number): void =>
        scroll.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
    };
  const items = virtual.getVirtualItems();
  return {
    indices: items.map(({ index }) => index),
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    reveal: (index: number): void => virtual.scrollToIndex(index),
  };
}

interface LineProps<Row> {
  readonly props: VirtualTableProps<Row>;
  readonly entry: TableEntry<Row>;
  readonly index: number;
  readonly isActive: boolean;
  readonly actions: TableActions;
  readonly preferences: Preferences;
}

function Line<Row>({ props, entry, index, isActive, actions, preferences }: LineProps<Row>) {
  const { columns, getKey, getName, onOpen, selection } = props;
  if (entry.kind === 'section')
    return (
      <TableSectionRow
        section={entry.section}
        index={index}
        width={columns.length}
        isActive={isActive}
        selected={selection && countSelected(entry.section.all ?? entry.section.rows, selection, getKey)}
        actions={actions}
      />
    );
  return (
    <TableRow
      row={entry.row}
      rowKey={entry.key}
      name={selection ? getName(entry.row) : ''}
      index={index}
      columns={columns}
      isActive={isActive}
      isSelected={selection?.keys.has(entry.key)}
      isOpenable={onOpen !== undefined}
      actions={actions}
      preferences={preferences}
    />
  );
}

const countSelected = <Row,>(
  rows: readonly Row[],
  { keys }: Selection,
  getKey: (row: Row) => string,
): number => (keys.size === 0 ? 0 : rows.filter((row) => keys.has(getKey(row))).length);

type ListState<Row> = VirtualTableProps<Row> & { readonly entries: ReturnType<typeof listEntries<Row>> };

/** Creates the row actions, by index; stable for the lifetime of the table. */
function makeActions<Row>(latest: { readonly current: ListState<Row> }) {
  const entryAt = (index: number) => latest.current.entries[index];
  const setFolded = (id: string, isFolded: boolean): void => latest.current.onFold?.(id, isFolded);
  const selectSection = (section: TableSection<Row>): void => {
    const { selection, getKey } = latest.current;
    const keys = (section.all ?? section.rows).map(getKey);
    selection?.setEach(keys, !keys.every((key) => selection.keys.has(key)));
  };
  return {
    setFolded,
    menu: (index: number, at: MenuPosition): void => {
      const entry = entryAt(index);
      if (entry?.kind === 'row') latest.current.onMenu?.(entry.row, at);
    },
    toggle: (key: string): void => latest.current.selection?.toggle(key),
    selectSection: (index: number): void => {
      const entry = entryAt(index);
      if (entry?.kind === 'section') selectSection(entry.section);
    },
    open(index: number): void {
      const entry = entryAt(index);
      if (entry?.kind === 'section') setFolded(entry.section.id, !entry.section.isFolded);
      else if (entry) latest.current.onOpen?.(entry.row);
    },
    /**
     * Collapses or expands a section; for a row, selects the header of its section. @returns the row to focus
     */
    fold(index: number, isFolded: boolean): number | undefined {
      const { entries } = latest.current;
      const entry = entries[index];
      if (entry?.kind === 'section') {
        setFolded(entry.section.id, isFolded);
        return index;
      }
      const head = entries.findLastIndex(({ kind }, at) => kind === 'section' && at < index);
      return isFolded && head >= 0 ? head : undefined;
    },
    select(index: number, isRange: boolean): void {
      const entry = entryAt(index);
      const { selection } = latest.current;
      if (entry?.kind === 'section') {
        if (!isRange) selectSection(entry.section);
      } else if (entry) {
        if (isRange) selection?.extendSelectionTo(entry.key);
        else selection?.toggle(entry.key);
      }
    },
  };
}

export type TableActions = ReturnType<typeof makeActions>;

/** Takes the space of rows outside the viewport. */
function Space({ height, width }: { readonly height: number; readonly width: number }) {
  if (height <= 0) return null;
  return (
    // It has no content and no controls.
    <tr data-space role="presentation">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a spacer, not a control */}
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}
