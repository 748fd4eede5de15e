import { useEffect, useRef, useState, type RefObject, useMemo, useCallback } from 'react';
import { useQueries } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { isActive } from '../../format/labels.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useAllSubRuns } from '../../api/run-queries.ts';
import { useNow } from '../../base/clock.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { moveRow } from './item-list.tsx';
import { type TimelineRow, activeTimeRanges, listRows, runKey, getTimeRange } from './timeline-rows.ts';
import {
  clampZoom,
  fullZoom,
  zoomBy,
  type Zoom,
  makeTimeMap,
  listTicks,
  TimelineAxis,
} from './timeline-axis.tsx';
import { TimelineRowView } from './timeline-row.tsx';
import styles from './timeline.module.css';

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
 * Timeline shortcuts: arrow keys (or j and k) move between rows and expand them, Enter opens the step, `+`, `-`
 * and `0` zoom. One row is in the tab order.
 */
function useRowKeys({ rows, box, zoom, onZoom, onOpen, onToggle, scrollTo }: RowKeys) {
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

const second = 1_000;

/** The rows and the axis of a run's timeline, including expanded sub-runs. */
function useTimelineRows(run: RunDetailView) {
  const isLive = isActive(run);
  const clock = useNow(isLive);
  // The end of the axis advances once a second, not with every step that ends in between.
  const now = isLive ? Math.ceil((clock + second) / second) * second : clock;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const hasSubRuns = run.steps.some(({ subRuns }) => subRuns.length > 0);
  const subRuns = useAllSubRuns(run, hasSubRuns).data;
  const details = useOpenRuns(open);
  const rows = useMemo(
    () => listRows(run, { open, subRuns: subRuns ?? [], details, now }),
    [run, open, subRuns, details, now],
  );
  const map = useMemo(
    () => makeTimeMap(getTimeRange(run, rows, now), activeTimeRanges(rows)),
    [run, rows, now],
  );
  const toggle = ({ key, isOpen }: TimelineRow, shouldOpen = isOpen !== true): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (shouldOpen) next.add(key);
      else next.delete(key);
      return next;
    });
  return { rows, map, toggle };
}

/** The runs of expanded rows; live events keep them up to date like the page's own run. */
function useOpenRuns(open: ReadonlySet<string>): ReadonlyMap<string, RunDetailView> {
  const bridge = useBridge();
  const refs = useMemo(() => readRefs(open), [open]);
  return useQueries({
    queries: refs.map(({ name, dagRunId }) => ({
      queryKey: queryKeys.run(name, dagRunId),
      queryFn: () => bridge.call('runs.get', { name, dagRunId }),
    })),
    combine: toDetails,
  });
}

const toDetails = (
  results: readonly { readonly data: RunDetailView | undefined }[],
): ReadonlyMap<string, RunDetailView> =>
  new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[runKey(data), data]])));

/** Row keys of runs end with the run: `step:call>child/20260101>`. */
const readRefs = (open: ReadonlySet<string>): { name: string; dagRunId: string }[] =>
  [...open].flatMap((key) => {
    const last = /([^>/]+)\/([^>/]+)>$/.exec(key);
    return last === null ? [] : [{ name: last[1]!, dagRunId: last[2]! }];
  });

/** Row height in pixels; same as in the style sheet. */
const rowHeight = 30;

interface TimelineProps {
  readonly run: RunDetailView;
  readonly selected: NodeRef | undefined;
  /** The run of the selected step, if it is a sub-run. */
  readonly selectedRun?: RunRef | undefined;
  readonly onSelect: (node: NodeRef, run?: RunRef) => void;
}

/** When each step ran: one row per step, one bar per attempt, and its sub-runs below. */
export function Timeline({ run, selected, selectedRun, onSelect }: TimelineProps) {
  const { rows, map, toggle } = useTimelineRows(run);
  const [zoom, setZoom] = useState(fullZoom);
  const box = useRef<HTMLDivElement>(null);
  const open = useCallback(
    (row: TimelineRow): void => {
      if (row.kind === 'step')
        onSelect(
          { section: row.section, name: row.name },
          row.run.dagRunId === run.dagRunId ? undefined : row.run,
        );
      else if (row.kind === 'run') toggle(row);
    },
    [onSelect, run.dagRunId, toggle],
  );
  const { active, setActive, onKeyDown } = useRowKeys({
    ...{ rows, box, zoom },
    onZoom: setZoom,
    onOpen: open,
    onToggle: toggle,
    scrollTo: (index) => virtual.scrollToIndex(index),
  });
  // oxlint-disable-next-line react/incompatible-library -- only affects the React compiler, which is not used
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The row in the tab order must be rendered at any scroll position.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), active])].sort((a, b) => a - b),
  });
  const ticks = useMemo(() => listTicks(map, zoom), [map, zoom]);
  return (
    <div ref={box} className={styles.timeline}>
      <TimelineAxis map={map} ticks={ticks} zoom={zoom} onZoom={setZoom} />
      {/* The focus is on a row inside; the tree only handles keys. */}
      <div
        className={styles.rows}
        role="tree"
        tabIndex={-1}
        aria-label="Timeline"
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {virtual.getVirtualItems().map(({ index, start: top }) => {
          const row = rows[index];
          const places = { index, top, count: rows.length, isReachable: index === active };
          const on = { onOpen: open, onToggle: toggle, onFocus: setActive };
          const isSelected = isChosen(row, selected, selectedRun ?? run);
          return (
            row && <TimelineRowView key={row.key} {...{ row, map, zoom, isSelected, ...places, ...on }} />
          );
        })}
      </div>
    </div>
  );
}

/** Whether a row is that of a node of a run. */
const isChosen = (row: TimelineRow | undefined, node: NodeRef | undefined, run: RunRef): boolean =>
  row?.kind === 'step' &&
  row.name === node?.name &&
  row.section === node.section &&
  row.run.dagRunId === run.dagRunId;
