import { useState } from 'react';
import { formatFull } from '../../../format/time.ts';
import { ValueSection } from '../values/fact-table.tsx';
import styles from './usage.module.css';

interface Point {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: number;
}

interface UsageChartProps {
  readonly title: string;
  /** At least two, in order. */
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
}

/** A quantity over the time of a run: about a hundred points, so it is drawn as it is. */
export function UsageChart({ title, points, format }: UsageChartProps) {
  const [place, setPlace] = useState<number>();
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const most = Math.max(...points.map(({ value }) => value), Number.MIN_VALUE);
  const x = ({ at }: Point): number => ((at - first) / Math.max(1, last - first)) * 100;
  const y = ({ value }: Point): number => 100 - (value / most) * 100;
  const line = points.map((point) => `${x(point)},${y(point)}`).join(' ');
  const pointed = place === undefined ? undefined : nearest(points, first + place * (last - first));
  return (
    <ValueSection
      title={title}
      note={
        pointed
          ? `${format(pointed.value)} at ${formatFull(new Date(pointed.at).toISOString())}`
          : `at most ${format(most)}`
      }
    >
      <div
        className={styles.chart}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          setPlace((event.clientX - left) / width);
        }}
        onPointerLeave={() => setPlace(undefined)}
      >
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}, at most ${format(most)}`}
        >
          <polygon points={`0,100 ${line} 100,100`} />
          <polyline points={line} />
        </svg>
        {pointed && <i style={{ left: `${x(pointed)}%` }} />}
      </div>
    </ValueSection>
  );
}

const nearest = (points: readonly Point[], at: number): Point =>
  points.reduce((best, point) => (Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best));
