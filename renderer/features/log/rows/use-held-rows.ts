import { useEffect, useRef, useState, type RefObject } from 'react';
import type { RowContent } from './row-list.ts';
import { readSelectedEnds } from './row-selection.ts';

const none: readonly number[] = [];

/**
 * Rows that stay rendered outside the viewport because a selection begins or ends in them; the browser would
 * lose it otherwise. Their content is frozen, so that the selection does not move.
 */
export function usePinnedRows(list: RefObject<HTMLElement | null>) {
  const [held, setHeld] = useState(none);
  const contents = useRef(new Map<number, RowContent>());
  useEffect(() => {
    const updatePinned = (): void => {
      const rows = list.current ? readSelectedEnds(list.current) : none;
      setHeld((before) => (String(before) === String(rows) ? before : rows));
    };
    document.addEventListener('selectionchange', updatePinned);
    return () => document.removeEventListener('selectionchange', updatePinned);
  }, [list]);
  /** Returns the visible and the retained rows, in order. @param to exclusive */
  const withHeld = (from: number, to: number): readonly number[] => [
    ...held.filter((row) => row < from),
    ...Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index),
    ...held.filter((row) => row >= to),
  ];
  const contentOf = (row: number, draw: (row: number) => RowContent): RowContent => {
    if (!held.includes(row)) return draw(row);
    for (const known of contents.current.keys()) if (!held.includes(known)) contents.current.delete(known);
    const content = contents.current.get(row) ?? draw(row);
    contents.current.set(row, content);
    return content;
  };
  return { withHeld, contentOf };
}
