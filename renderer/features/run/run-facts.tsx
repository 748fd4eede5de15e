import {
  Clock,
  CornerLeftUp,
  Gauge,
  ListOrdered,
  Play,
  SlidersHorizontal,
  Timer,
  Waypoints,
} from 'lucide-react';
import { Link } from 'wouter';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { paths } from '../../app/paths.ts';
import { formatBytes } from '../../format/bytes.ts';
import { triggerWords } from '../../format/trigger.ts';
import { FactList } from '../../ui/layout/fact-list.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './run.module.css';

/** How the run came about and how long it took. */
export function RunFacts({ run }: { readonly run: RunDetailView }) {
  return (
    <FactList>
      <span title="What started the run">
        <Play size={14} aria-hidden="true" />
        {triggerWords[run.trigger]}
      </span>
      <span>
        <Clock size={14} aria-hidden="true" />
        <RelativeTime iso={run.startedAt ?? run.createdAt} />
      </span>
      {run.wait && (
        <span title="Queue the run waits in">
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
      {run.peakUsage && (
        <span title="The most that its processes used at one time: CPU of the whole machine, and memory">
          <Gauge size={14} aria-hidden="true" />
          {run.peakUsage.cpu} % CPU, {formatBytes(run.peakUsage.memory)}
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
      {run.params.length > 0 && (
        <span className={styles.params}>
          <SlidersHorizontal size={14} aria-hidden="true" />
          {run.params.map(({ name, value }) => (
            <code key={name} title={`${name}=${value}`}>
              {!/^\d+$/.test(name) && <i>{name}=</i>}
              {value}
            </code>
          ))}
        </span>
      )}
      {run.workflow.otel?.enabled === true && run.traceId !== undefined && (
        <span title="Trace, as it is named in the collector">
          <Waypoints size={14} aria-hidden="true" />
          <code>{run.traceId}</code>
        </span>
      )}
    </FactList>
  );
}
