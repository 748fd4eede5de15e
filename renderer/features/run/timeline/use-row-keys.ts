import { useEffect, useRef, useState, type RefObject } from 'react';
import { moveRow } from '../../items/row-keys.ts';
import type { TimelineRow } from './rows.ts';
import { clampZoom, fullZoom, zoomBy, type Zoom } from './time-map.ts';

interface RowKeys {
  readonly rows: readonly TimelineRow[];
  readonly box: RefObject<HTMLDivElement | null>;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onOpen: (row: TimelineRow) => void;
  readonly onToggle: (row: TimelineRow, isOpen: boolean) => void;
  readonly scrollTo: (index: number) => void;
}

/** Fraction of the visible range that a key pans. */
const panShare = 0.2;
/** Returns the zoom after a key press. */
export function zoomByKey(zoom: Zoom, key: string, shift: boolean): Zoom | undefined {
  const pan = (zoom.end - zoom.start) * panShare;
  if (key === '+' || key === '=') return zoomBy(zoom, 0.5);
  if (key === '-') return zoomBy(zoom, 2);
  if (key === '0') return fullZoom;
  if (shift && key === 'ArrowLeft') return clampZoom({ start: zoom.start - pan, end: zoom.end - pan });
  if (shift && key === 'ArrowRight') return clampZoom({ start: zoom.start + pan, end: zoom.end + pan });
  return undefined;
}

/**
 * Timeline shortcuts: arrow keys (or j and k) move between rows and expand them, Enter shows the step, `+`, `-`
 * and `0` zoom. One row is in the tab order.
 */
export function useRowKeys({ rows, box, zoom, onZoom, onOpen, onToggle, scrollTo }: RowKeys) {
  const [chosen, setActive] = useState(0);
  const active = Math.max(0, Math.min(chosen, rows.length - 1));
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    box.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus();
  }, [active, box]);
  const goTo = (to: number): void => {
    moved.current = to !== active;
    setActive(to);
    scrollTo(to);
  };
  const act = (key: string): boolean => {
    const row = rows[active];
    if (row === undefined) return false;
    const isNested = row.isOpen !== undefined;
    if (key === 'Enter' || key === ' ') onOpen(row);
    else if (key === 'ArrowRight' && row.isOpen === false) onToggle(row, true);
    else if (key === 'ArrowLeft' && row.isOpen === true) onToggle(row, false);
    else if (key === 'ArrowLeft') goTo(findParent(rows, active));
    else if (key === 'ArrowRight' && isNested) goTo(Math.min(active + 1, rows.length - 1));
    else return false;
    return true;
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoomed = zoomByKey(zoom, event.key, event.shiftKey);
    const to = moveRow(shortcutKeys[event.key] ?? event.key, active, rows.length);
    if (zoomed !== undefined) onZoom(zoomed);
    else if (to !== undefined) goTo(to);
    else if (!act(event.key)) return;
    event.preventDefault();
  };
  return { active, setActive, onKeyDown };
}

const shortcutKeys: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' };

/** Returns the parent of a row, or the row itself. */
function findParent(rows: readonly TimelineRow[], index: number): number {
  const depth = rows[index]?.depth ?? 1;
  for (let above = index - 1; above >= 0; above -= 1) if (rows[above]!.depth < depth) return above;
  return index;
}
