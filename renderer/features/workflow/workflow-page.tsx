import { PenLine } from 'lucide-react';
import type { DagDetailView } from '../../../core/contract/workflows/dags.ts';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useDag } from '../../api/queries/workflows/workflow-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { isMissing } from '../../ui/state/missing-state.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { WorkflowMenu } from '../files/workflow-menu.tsx';
import { RunButton } from '../start/run-button.tsx';
import { TerminalButtons } from '../terminal/terminal-buttons.tsx';
import { BaseConfigErrorNotice } from './base-fault-notice.tsx';
import { MissingWorkflow } from './missing-workflow.tsx';
import { WorkflowDetails } from './workflow-details.tsx';
import { WorkflowViews } from './workflow-views.tsx';
import styles from './workflow.module.css';

/** One workflow: its overview, its text, its runs and its versions. */
export function WorkflowPage({ fileName }: { readonly fileName: string }) {
  const dag = useDag(fileName);
  useSystemChanges('dags', queryKeys.dag(fileName));
  const may = useCan('dags.updateSpec');
  const known = isMissing(dag.error) ? undefined : dag.data;
  return (
    <Page
      title={known?.name ?? fileName}
      beside={
        <>
          {known?.group !== undefined && (
            <span className={styles.group} dir="auto">
              {known.group}
            </span>
          )}
          <TagList tags={known?.tags ?? []} />
          {known?.valid === true && <TerminalButtons place={{ fileName }} />}
        </>
      }
      below={known && <WorkflowDetails dag={known} />}
      above={<Breadcrumb trail={[{ label: 'Workflows', href: paths.workflows }]} />}
      actions={
        known && (
          <>
            {may.allowed && (
              <LinkButton href={paths.editor(fileName)} icon={PenLine}>
                Edit
              </LinkButton>
            )}
            <RunButton fileName={fileName} params={known.workflow?.params ?? []} isDisabled={!known.valid} />
            <WorkflowMenu fileName={fileName} isValid={known.valid} />
          </>
        )
      }
    >
      <QueryState query={dag} what="This workflow" missing={<MissingWorkflow fileName={fileName} />}>
        {(data) => (
          <>
            {!data.valid && <InvalidNotice dag={data} />}
            <WorkflowViews dag={data} mayEdit={may.allowed} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function InvalidNotice({ dag }: { readonly dag: DagDetailView }) {
  const first = dag.diagnostics.find(({ severity }) => severity === 'error');
  if (first !== undefined && first.file !== dag.file) return <BaseConfigErrorNotice diagnostic={first} />;
  return (
    <Notice tone="error">
      <strong>Fix the errors before this workflow can run.</strong>
      {first && ` Line ${first.line}: ${first.message}`}
    </Notice>
  );
}
