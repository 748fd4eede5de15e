import { Workflow } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { ItemSummaryView } from '../../../core/contract/run-views.ts';
import type { ItemView } from '../../../core/contract/run-steps.ts';
import { formatItems } from '../../format/labels.ts';
import { StatusMeter } from '../../ui/status-charts.tsx';
import { paths } from '../../navigation/address.ts';
import { shortenRunId } from '../../format/values.ts';
import { clickableRow } from '../../ui/list/row-controls.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import styles from './timeline.module.css';

/** Number of rows that Page Up and Page Down skip. */
const pageRows = 10;

/**
 * Returns the row that a key moves the focus to, in a list with one row in the tab order.
 * @returns undefined if the key does nothing here
 */
export function moveRow(key: string, row: number, count: number): number | undefined {
  const clamp = (to: number): number => Math.min(count - 1, Math.max(0, to));
  switch (key) {
    case 'ArrowDown':
      return clamp(row + 1);
    case 'ArrowUp':
      return clamp(row - 1);
    case 'PageDown':
      return clamp(row + pageRows);
    case 'PageUp':
      return clamp(row - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return clamp(count);
    default:
      return undefined;
  }
}

/** Progress of the items of a step. */
export function ItemProgress({ items }: { readonly items: ItemSummaryView }) {
  return (
    <StatusMeter
      label="Items"
      text={formatItems(items)}
      total={items.total}
      segments={[
        { status: 'succeeded', count: items.succeeded, done: true },
        { status: 'failed', count: items.failed, done: true },
        { status: 'running', count: items.running, done: false },
      ]}
    />
  );
}

interface ItemRowProps {
  readonly item: ItemView;
  /** 0-based index among the shown rows. */
  readonly index: number;
  readonly count: number;
  /** Offset from the top of the list, in pixels. */
  readonly top: number;
  /** Whether this row is in the tab order. */
  readonly reachable: boolean;
  readonly onOpen: (item: number) => void;
  readonly onFocus: (index: number) => void;
}

/** One item: index, status, value, error, and links to its log and its run. */
const ItemRow = memo(function ItemRow({ item, index, count, top, ...row }: ItemRowProps) {
  const { reachable, onOpen, onFocus } = row;
  const tabIndex = reachable ? 0 : -1;
  const open = (): void => onOpen(item.item);
  const focus = (): void => onFocus(index);
  const reason = item.status === 'succeeded' ? undefined : formatResult(item);
  return (
    <li
      className={styles.itemsRow}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      {...clickableRow(open)}
    >
      <span className={styles.number}>{item.item}</span>
      <StatusBadge status={item.status} />
      <span className={styles.what}>
        <button
          type="button"
          className={styles.value}
          tabIndex={tabIndex}
          title={item.value}
          aria-label={`Log of item ${item.item}: ${item.value}`}
          onClick={open}
          onFocus={focus}
        >
          <code>{item.value === '' ? '(empty)' : item.value}</code>
        </button>
        {reason !== undefined && (
          <span className={styles.reason} title={reason}>
            {reason}
          </span>
        )}
      </span>
      {item.subRun && (
        <Link
          href={paths.run(item.subRun.name, item.subRun.dagRunId)}
          className={styles.subRun}
          aria-label={`Run of ${item.subRun.name} for item ${item.item}`}
          title={`${item.subRun.name} ${item.subRun.dagRunId}`}
          tabIndex={tabIndex}
          onFocus={focus}
        >
          <Workflow size={14} aria-hidden="true" />
          <code>{shortenRunId(item.subRun.dagRunId)}</code>
        </Link>
      )}
      <span className={styles.time}>
        <Duration startedAt={item.startedAt} finishedAt={item.finishedAt} />
      </span>
    </li>
  );
});

const formatResult = ({ error, signal, exitCode }: ItemView): string | undefined =>
  error ?? signal ?? (exitCode === undefined || exitCode === 0 ? undefined : `exit code ${exitCode}`);

/** Row height in pixels. */
const rowHeight = 34;

interface ItemListProps {
  readonly label: string;
  readonly items: readonly ItemView[];
  /** Opens the log of an item. */
  readonly onOpen: (item: number) => void;
}

/**
 * The items in order; only visible rows are rendered. One row is in the tab order; arrow keys move between
 * rows.
 */
export function ItemList({ label, items, onOpen }: ItemListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, items.length - 1);
  // oxlint-disable-next-line react/incompatible-library -- only affects the React compiler, which is not used
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The row in the tab order must be rendered at any scroll position.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), active])].sort((a, b) => a - b),
  });
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    box.current?.querySelector<HTMLElement>(`[data-index="${active}"] button`)?.focus();
  }, [active]);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const to = moveRow(event.key, active, items.length);
    if (to === undefined) return;
    event.preventDefault();
    moved.current = to !== active;
    setChosen(to);
    rows.scrollToIndex(to);
  };
  return (
    <div ref={box} className={styles.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys that bubble from its buttons */}
      <ul
        className={styles.list}
        aria-label={label}
        style={{ height: rows.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {rows.getVirtualItems().map(({ index, start }) => (
          <ItemRow
            key={items[index]!.item}
            item={items[index]!}
            index={index}
            count={items.length}
            top={start}
            reachable={index === active}
            onOpen={onOpen}
            onFocus={setChosen}
          />
        ))}
      </ul>
    </div>
  );
}
