import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ItemView } from '../../../core/contract/runs/items.ts';
import { ItemRow } from './item-row.tsx';
import styles from './items.module.css';
import { moveRow } from './row-keys.ts';

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
