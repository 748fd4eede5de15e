import { Link } from 'wouter';
import { paths, withQuery } from '../../../app/paths.ts';
import { formatDuration } from '../../../format/duration.ts';
import { statusToken, statusLabels } from '../../../format/status.ts';
import { formatTimeOfDay } from '../../../format/time.ts';
import { StatusShape } from '../../../ui/status/status-shape.tsx';
import type { Bar, Lane } from './time-window.ts';
import styles from './timeline.module.css';

/** A workflow with its runs as bars, each linking to its run. */
export function LaneRow({ lane: { name, bars } }: { readonly lane: Lane }) {
  return (
    <div className={styles.lane}>
      <div className={styles.laneName}>
        {bars[0] && <StatusShape status={bars[0].run.status} />}
        <Link href={withQuery(paths.runs, { name })} title={name}>
          {name}
        </Link>
      </div>
      <div className={styles.track} data-track>
        {bars.map((bar) => (
          <Link
            key={bar.run.dagRunId}
            href={paths.run(bar.run.name, bar.run.dagRunId)}
            className={styles.bar}
            data-status={bar.run.status}
            aria-label={describe(bar)}
            title={describe(bar)}
            style={
              {
                left: `min(${bar.left}%, 100% - 4px)`,
                width: `${bar.width}%`,
                '--bar': `var(--status-${statusToken(bar.run.status)})`,
              } as React.CSSProperties
            }
          />
        ))}
      </div>
    </div>
  );
}

const describe = ({ run, from, until }: Bar): string =>
  `${run.name}, ${statusLabels[run.status].toLowerCase()}, ${formatTimeOfDay(new Date(from).toISOString())}, ${formatDuration(until - from)}`;
