import { FileText, SlidersHorizontal } from 'lucide-react';
import { Link } from 'wouter';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { DagDetailView } from '../../../core/contract/workflows/dags.ts';
import { systemClock } from '../../app/clock.ts';
import { paths } from '../../app/paths.ts';
import { describeCron } from '../../format/cron.ts';
import { formatDayAndTime, isNear } from '../../format/time.ts';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { ScheduleSwitch } from '../schedule/suspend-button.tsx';
import styles from './workflow.module.css';

/** Key information about a workflow. */
export function WorkflowDetails({ dag }: { readonly dag: DagDetailView }) {
  const { latestRun, schedule, nextRun, suspended, workflow } = dag;
  const isScheduled = Object.values(schedule).some((times) => times.length > 0);
  const now = systemClock.now();
  return (
    <>
      {dag.description !== undefined && (
        <p className={styles.description} dir="auto" title={dag.description}>
          {dag.description}
        </p>
      )}
      <DetailList>
        {latestRun && (
          <Link className={styles.latest} href={paths.run(latestRun.name, latestRun.dagRunId)}>
            <StatusBadge status={latestRun.status} />
            <span>
              <RelativeTime iso={latestRun.startedAt ?? latestRun.createdAt} />
            </span>
          </Link>
        )}
        {isScheduled && (
          <span className={styles.schedule}>
            <ScheduleSwitch fileName={dag.fileName} name={dag.name} suspended={suspended} />
            <span title={schedule.start.map((cron) => `${cron}  ${describeCron(cron)}`).join('\n')}>
              {schedule.start.map(describeCron).join('; ')}
              {suspended && ': suspended'}
              {nextRun !== undefined && (
                <>
                  , next <RelativeTime iso={nextRun} />
                  {isNear(nextRun, now) && <span className={styles.at}> ({formatDayAndTime(nextRun)})</span>}
                </>
              )}
            </span>
          </span>
        )}
        {workflow && workflow.params.length > 0 && (
          <span title={workflow.params.map(({ name, value }) => `${name}=${value}`).join('\n')}>
            <SlidersHorizontal size={14} aria-hidden="true" />
            {pluralize(workflow.params.length, 'parameter')}
          </span>
        )}
        <span title={dag.file}>
          <FileText size={14} aria-hidden="true" />
          {dag.file.split(/[/\\]/).at(-1)}
        </span>
      </DetailList>
    </>
  );
}
