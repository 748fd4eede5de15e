import { useMemo } from 'react';
import { useRun } from '../../api/queries/runs/run-queries.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { MissingRun } from './missing-run.tsx';
import { RunActions } from './run-actions.tsx';
import { RunDetails } from './run-details.tsx';
import styles from './run.module.css';
import { RunViews } from './run-views.tsx';
import { useStableRun } from './shown-run.ts';
import { useCanonicalRunUrl } from './use-own-address.ts';
import { useRunBreadcrumbs } from './use-trail.ts';

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
  const [facts, actions] = useMemo(
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
      below={facts ?? (run.isPending && <DetailList>&nbsp;</DetailList>)}
      actions={actions}
    >
      <QueryState query={run} what="This run" missing={<MissingRun name={name} dagRunId={dagRunId} />}>
        {(data) => <RunViews run={data} />}
      </QueryState>
    </Page>
  );
}
