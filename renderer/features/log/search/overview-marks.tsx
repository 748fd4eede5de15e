import { useEffect, useRef } from 'react';
import { useSeenTheme } from '../../../app/seen-theme.ts';
import type { LineRows } from '../rows/line-rows.ts';
import type { SearchPicture } from './log-search.ts';
import { markHeight, placeMark } from './place-mark.ts';
import styles from '../log.module.css';

interface OverviewMarksProps {
  readonly picture: SearchPicture;
  readonly rows: LineRows;
}

/** Where in the whole log there are matches, beside the scroll bar. */
export function OverviewMarks({ picture, rows }: OverviewMarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useSeenTheme();
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || rows.count === 0) return;
    const height = (element.height = element.clientHeight);
    element.width = element.clientWidth;
    context.fillStyle = getComputedStyle(element).color;
    for (const row of listRows(picture, rows)) {
      context.fillRect(0, placeMark(row, rows.count, height), element.width, markHeight);
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- its colour is read when it is drawn, so another theme draws it anew
  }, [picture, rows, theme]);
  return <canvas ref={canvas} className={styles.overview} aria-hidden="true" />;
}

/** Rows of the matches that are known, and for the others the rows of the parts that they are in. */
function* listRows({ hits, parts }: SearchPicture, rows: LineRows): Generator<number> {
  for (const hit of hits) yield rows.rowOf(hit);
  for (const { stream, from, count } of parts) if (count > 0) yield rows.rowOf({ stream, line: from });
}
