import { useEffect, useMemo } from 'react';
import { useLocation, useSearch, Link } from 'wouter';
import {
  Clock,
  CornerLeftUp,
  Gauge,
  Hand,
  Hourglass,
  ListFilter,
  PencilLine,
  ListOrdered,
  Play,
  Server,
  SlidersHorizontal,
  Timer,
  Waypoints,
} from 'lucide-react';
import type { RunRef } from '../../../core/model/run.ts';
import type { RunDetailView, RunSummaryView } from '../../../core/contract/run-views.ts';
import { formatActor, isNamedActor } from '../../../core/model/run-event.ts';
import { paths } from '../../navigation/address.ts';
import { useAllSubRuns, useRun } from '../../api/run-queries.ts';
import { formatParam, pickParams, shortenRunId } from '../../format/values.ts';
import { formatDuration, formatFull } from '../../format/time.ts';
import { formatOrigin } from '../../format/labels.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { DetailList } from '../../ui/detail-list.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { TagList, Page } from '../../ui/page.tsx';
import { Breadcrumb, type Crumb } from '../../ui/tabs.tsx';
import { QueryState } from '../../ui/state.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import styles from './run.module.css';
import { MissingRun, useStableRun } from './current-run.tsx';
import { RunActions } from './run-actions.tsx';
import { RunViews } from './run-views.tsx';
import { formatBytes } from '../../../core/base/text.ts';

/** Redirects an address with the id `latest` to the resolved run, because `latest` may soon be another one. */
export function useCanonicalRunUrl(requested: RunRef, resolved: RunRef | undefined): void {
  const [, navigate] = useLocation();
  const query = useSearch();
  const { name } = requested;
  const foundId = resolved?.dagRunId;
  const isOther = foundId !== undefined && foundId !== requested.dagRunId;
  useEffect(() => {
    if (isOther) navigate(`${paths.run(name, foundId)}${query && `?${query}`}`, { replace: true });
  }, [isOther, name, foundId, query, navigate]);
}

/** Returns the ancestors of a run, topmost first. @param below summaries of all sub-runs of the topmost run */
export function listAncestors(
  run: Pick<RunSummaryView, 'parent' | 'root' | 'dagRunId'>,
  below: readonly RunSummaryView[],
): RunRef[] {
  const ancestors: RunRef[] = [];
  let parent: RunRef | undefined = run.parent;
  while (parent !== undefined && !ancestors.some(({ dagRunId }) => dagRunId === parent!.dagRunId)) {
    const { name, dagRunId }: RunRef = parent;
    ancestors.unshift({ name, dagRunId });
    parent = below.find((one) => one.dagRunId === dagRunId && one.name === name)?.parent;
  }
  const { root } = run;
  if (root && root.dagRunId !== run.dagRunId && root.dagRunId !== ancestors[0]?.dagRunId)
    ancestors.unshift(root);
  return ancestors;
}

/** Breadcrumbs of a run: the list of runs, then every ancestor. */
function useRunBreadcrumbs(run: RunDetailView | undefined): Crumb[] {
  const root = run?.root ?? { name: '', dagRunId: '' };
  const isDeep = run?.parent !== undefined && root.dagRunId !== run.parent.dagRunId;
  const below = useAllSubRuns(root, isDeep && root.dagRunId !== '').data ?? [];
  const trail: Crumb[] = [{ href: paths.runs }];
  if (!run) return trail;
  const ancestors = listAncestors(run, below).map(({ name, dagRunId }) => ({
    label: name,
    href: paths.run(name, dagRunId),
  }));
  return [...trail, ...ancestors];
}

/** How the steps of a run differ from those of the workflow file. */
function RunScope({ run }: { readonly run: RunDetailView }) {
  return (
    <>
      {run.unsaved && (
        <span title="The workflow had unsaved changes in the editor">
          <PencilLine size={14} aria-hidden="true" />
          Unsaved changes
        </span>
      )}
      {run.onlySteps && (
        <span title={run.onlySteps.join(', ')}>
          <ListFilter size={14} aria-hidden="true" />
          {run.onlySteps.length} of {run.workflow.steps.length} steps
        </span>
      )}
    </>
  );
}

/**
 * Origin and durations of a run. Items that appear or disappear when it ends are last, so that the others keep
 * their places.
 */
function RunDetails({ run }: { readonly run: RunDetailView }) {
  return (
    <DetailList>
      <span title={isNamedActor(run.startedBy) ? 'Trigger and user' : 'Trigger'}>
        <Play size={14} aria-hidden="true" />
        {formatOrigin(run)}
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
      <RunScope run={run} />
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
      <Link
        href={`${paths.system}?tab=hosts`}
        className={styles.driver}
        title={['Engine process', host.version, `since ${formatFull(host.since)}`].filter(Boolean).join(', ')}
      >
        <Server size={14} aria-hidden="true" />
        {host.hostname}, pid {host.pid}
      </Link>
    );
  if (peakUsage)
    return (
      <span className={styles.driver} title="Peak CPU and memory usage">
        <Gauge size={14} aria-hidden="true" />
        {peakUsage.cpu}% CPU, {formatBytes(peakUsage.memory)}
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

interface RunPageProps {
  readonly name: string;
  readonly dagRunId: string;
}

/** One run, live: its graph, timeline, steps and logs. */
export function RunPage({ name, dagRunId }: RunPageProps) {
  const run = useRun(name, dagRunId);
  useCanonicalRunUrl({ name, dagRunId }, run.data);
  // When a step ends, the views change but not the information about the whole run.
  const whole = useStableRun(run.data);
  const trail = useRunBreadcrumbs(whole);
  const [details, actions] = useMemo(
    () => (whole ? [<RunDetails key="facts" run={whole} />, <RunActions key="actions" run={whole} />] : []),
    [whole],
  );
  return (
    <Page
      above={<Breadcrumb trail={trail} />}
      title={name}
      beside={
        <>
          {run.data && <StatusBadge status={run.data.status} variant="pill" />}
          <span className={styles.runId}>
            <code title={dagRunId}>{shortenRunId(dagRunId)}</code>
            <CopyButton label="Copy run ID" text={dagRunId} />
          </span>
          {run.data && <TagList tags={run.data.workflow.tags} />}
        </>
      }
      below={details ?? (run.isPending && <DetailList>&nbsp;</DetailList>)}
      actions={actions}
    >
      <QueryState query={run} what="This run" missing={<MissingRun name={name} dagRunId={dagRunId} />}>
        {(data) => <RunViews run={data} />}
      </QueryState>
    </Page>
  );
}
