import { Link } from 'wouter';
import type { RunSummaryView } from '../../../core/contract/runs/run-views.ts';
import type { RunStatus } from '../../../core/model/run/status.ts';
import { systemClock } from '../../app/clock.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { startOfDay } from '../../format/day-clock.ts';
import { statusLabels } from '../../format/status.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';

import styles from './dashboard.module.css';

const active: readonly RunStatus[] = ['running', 'queued'];
const ended: readonly RunStatus[] = ['succeeded', 'partially_succeeded', 'failed', 'aborted'];

interface CountsProps {
  /** Undefined while loading. */
  readonly recent: readonly RunSummaryView[] | undefined;
  readonly active: readonly RunSummaryView[] | undefined;
}

/** Number of today's runs per status, each linking to the list. */
export function TodayCounts({ recent, active: now }: CountsProps) {
  const from = startOfDay(systemClock.now());
  const today = recent?.filter(({ createdAt }) => Date.parse(createdAt) >= from);
  const count = (runs: readonly RunSummaryView[] | undefined, status: RunStatus): number | undefined =>
    runs?.filter((run) => run.status === status).length;
  return (
    <nav className={styles.counts} aria-label="Runs by status">
      {active.map((status) => (
        <Count key={status} status={status} value={count(now, status)} when="now" href={linkTo({ status })} />
      ))}
      <span className={styles.countRule} />
      {ended.map((status) => (
        <Count
          key={status}
          status={status}
          value={count(today, status)}
          when="today"
          href={linkTo({ status, range: 'today' })}
        />
      ))}
    </nav>
  );
}

const linkTo = (query: Readonly<Record<string, string>>): string => withQuery(paths.runs, query);

interface CountProps {
  readonly status: RunStatus;
  readonly value: number | undefined;
  readonly when: string;
  readonly href: string;
}

function Count({ status, value, when, href }: CountProps) {
  return (
    <Link href={href} className={styles.countTile} data-zero={value === 0 || undefined}>
      <span className={styles.countValue}>{value ?? '–'}</span>
      <span className={styles.countLabel}>
        <StatusShape status={status} /> {statusLabels[status]} <span className={styles.faint}>{when}</span>
      </span>
    </Link>
  );
}
