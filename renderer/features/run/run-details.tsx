import {
  Clock,
  CornerLeftUp,
  Gauge,
  Hand,
  Hourglass,
  ListFilter,
  ListOrdered,
  Play,
  Server,
  SlidersHorizontal,
  Timer,
  Waypoints,
} from 'lucide-react';
import { Link } from 'wouter';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { paths } from '../../app/paths.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatParam, pickParams } from '../../format/params.ts';
import { formatFull } from '../../format/time.ts';
import { formatActor, isNamedActor } from '../../../core/model/run/actor.ts';
import { describeOrigin } from '../../format/trigger.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './run.module.css';

/**
 * Origin and durations of a run. Items that appear or disappear when it ends are last, so that the others keep
 * their places.
 */
export function RunDetails({ run }: { readonly run: RunDetailView }) {
  return (
    <DetailList>
      <span title={isNamedActor(run.startedBy) ? 'Trigger and user' : 'Trigger'}>
        <Play size={14} aria-hidden="true" />
        {describeOrigin(run)}
      </span>
      <span>
        <Clock size={14} aria-hidden="true" />
        <RelativeTime iso={run.startedAt ?? run.createdAt} />
      </span>
      <QueueWait run={run} />
      {run.wait && (
        <span title="Queue">
          <ListOrdered size={14} aria-hidden="true" />
          Queue {run.wait.queue}
          {run.wait.priority !== 0 && `, priority ${run.wait.priority}`}
        </span>
      )}
      {run.startedAt !== undefined && (
        <span title="Duration">
          <Timer size={14} aria-hidden="true" />
          <Duration startedAt={run.startedAt} finishedAt={run.finishedAt} />
        </span>
      )}
      {run.stopRequestedBy !== undefined && (
        <span title="Stopped by">
          <Hand size={14} aria-hidden="true" />
          Stopped {formatActor(run.stopRequestedBy)}
        </span>
      )}
      {run.onlySteps && (
        <span title={run.onlySteps.join(', ')}>
          <ListFilter size={14} aria-hidden="true" />
          {run.onlySteps.length} of {run.workflow.steps.length} steps
        </span>
      )}
      {run.parent && (
        <span>
          <CornerLeftUp size={14} aria-hidden="true" />
          <Link href={paths.run(run.parent.name, run.parent.dagRunId)}>
            {run.parent.name} › {run.parent.step}
          </Link>
        </span>
      )}
      {run.params.length > 0 && <Params run={run} />}
      {run.traceId !== undefined && (
        <span className={styles.trace} title={`Trace ID ${run.traceId}`}>
          <Waypoints size={14} aria-hidden="true" />
          <code>{run.traceId.slice(0, 8)}…</code>
          <CopyButton label="Copy trace ID" text={run.traceId} />
        </span>
      )}
      <DriverOrUsage run={run} />
    </DetailList>
  );
}

/** The driving host, and after the end the resource usage; both take the same space. */
function DriverOrUsage({ run: { host, peakUsage } }: { readonly run: RunDetailView }) {
  if (host)
    return (
      <span className={styles.driver} title={`Engine process, since ${formatFull(host.since)}`}>
        <Server size={14} aria-hidden="true" />
        {host.hostname}, pid {host.pid}
      </span>
    );
  if (peakUsage)
    return (
      <span className={styles.driver} title="Peak CPU and memory usage">
        <Gauge size={14} aria-hidden="true" />
        {peakUsage.cpu} % CPU, {formatBytes(peakUsage.memory)}
      </span>
    );
  return null;
}

/** Shorter waits are not shown, in milliseconds. */
const minWait = 500;

/** The wait from the creation of a run to its start. */
function QueueWait({ run }: { readonly run: RunDetailView }) {
  if (run.startedAt === undefined) return null;
  const waited = Date.parse(run.startedAt) - Date.parse(run.createdAt);
  if (waited < minWait) return null;
  return (
    <span title="Time in queue">
      <Hourglass size={14} aria-hidden="true" />
      waited {formatDuration(waited)}
    </span>
  );
}

/** Number of parameters shown in the header; all of them are on the values tab. */
const maxParams = 6;

function Params({ run }: { readonly run: RunDetailView }) {
  const { shown, more } = pickParams(run.params, maxParams);
  return (
    <span className={styles.params}>
      <SlidersHorizontal size={14} aria-hidden="true" />
      {shown.map((param) => (
        <code key={param.name} title={formatParam(param)}>
          {!/^\d+$/.test(param.name) && <i>{param.name}=</i>}
          <bdi>{param.value}</bdi>
        </code>
      ))}
      {more > 0 && <span title={run.params.map(formatParam).join('\n')}>+{more}</span>}
    </span>
  );
}
