import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import type { RunRef } from '../../../../core/model/run/run.ts';
import type { NodeRef } from '../../../graph/workflow-graph.tsx';
import type { TimelineRow } from './rows.ts';
import { listTicks, fullZoom } from './time-map.ts';
import { TimelineAxis } from './timeline-axis.tsx';
import { TimelineRowView } from './timeline-row.tsx';
import styles from './timeline.module.css';
import { useRowKeys } from './use-row-keys.ts';
import { useTimelineRows } from './use-timeline-rows.ts';

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
