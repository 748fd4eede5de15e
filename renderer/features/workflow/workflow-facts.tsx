import { CalendarClock, FileText, SlidersHorizontal } from 'lucide-react';
import { Link } from 'wouter';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import { paths } from '../../app/paths.ts';
import { describeCron } from '../../format/cron.ts';
import { FactList } from '../../ui/layout/fact-list.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './workflow.module.css';

/** What one wants to know of a workflow at a glance. */
export function WorkflowFacts({ dag }: { readonly dag: DagDetailView }) {
  const { latestRun, schedule, nextRun, suspended, workflow } = dag;
  return (
    <>
      {dag.description !== undefined && <p className={styles.description}>{dag.description}</p>}
      <FactList>
        {latestRun && (
          <Link className={styles.latest} href={paths.run(latestRun.name, latestRun.dagRunId)}>
            <StatusBadge status={latestRun.status} />
            <span>
              <RelativeTime iso={latestRun.startedAt ?? latestRun.createdAt} />
            </span>
          </Link>
        )}
        {schedule.start.length > 0 && (
          <span title={schedule.start.join('\n')}>
            <CalendarClock size={14} aria-hidden="true" />
            {schedule.start.map(describeCron).join('; ')}
            {nextRun !== undefined && (
              <>
                , next <RelativeTime iso={nextRun} />
              </>
            )}
            {suspended && ' (suspended)'}
          </span>
        )}
        {workflow && workflow.params.length > 0 && (
          <span title={workflow.params.map(({ name, value }) => `${name}=${value}`).join('\n')}>
            <SlidersHorizontal size={14} aria-hidden="true" />
            {workflow.params.length} {workflow.params.length === 1 ? 'parameter' : 'parameters'}
          </span>
        )}
        <span title={dag.file}>
          <FileText size={14} aria-hidden="true" />
          {dag.file.split(/[/\\]/).at(-1)}
        </span>
      </FactList>
    </>
  );
}
