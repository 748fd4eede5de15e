import { useEffect, useRef } from 'react';
import { useResolvedTheme } from '../../../app/resolved-theme.ts';
import type { LineRows } from '../rows/line-rows.ts';
import { useViewSize } from '../rows/use-view-size.ts';
import { useLogOptions } from '../use-log-options.ts';
import type { SearchSnapshot } from './log-search.ts';
import { matchMarkerHeight, matchMarkerPosition } from './place-mark.ts';
import styles from '../log.module.css';

interface OverviewMarksProps {
  readonly snapshot: SearchSnapshot;
  readonly rows: LineRows;
}

/** Marks of the matches in the whole log, next to the scroll bar. */
export function OverviewMarks({ snapshot, rows }: OverviewMarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useResolvedTheme();
  const { width, height } = useViewSize(canvas);
  const { wrap } = useLogOptions();
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || rows.count === 0) return;
    element.height = height;
    element.width = width;
    context.fillStyle = getComputedStyle(element).color;
    const log = { count: rows.count, isWrapped: wrap };
    for (const row of listRows(snapshot, rows))
      context.fillRect(0, matchMarkerPosition(row, log, height), width, matchMarkerHeight);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the drawing reads theme colors, so it is redrawn when the theme changes
  }, [snapshot, rows, theme, width, height, wrap]);
  return <canvas ref={canvas} className={styles.overview} aria-hidden="true" />;
}

/** Yields the rows of known matches; for others, the rows of the parts that contain them. */
function* listRows({ hits, searchedRanges }: SearchSnapshot, rows: LineRows): Generator<number> {
  for (const hit of hits) yield rows.rowOf(hit);
  for (const { stream, from, count } of searchedRanges)
    if (count > 0) yield rows.rowOf({ stream, line: from });
}
