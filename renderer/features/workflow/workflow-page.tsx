import { PenLine } from 'lucide-react';
import type { DagDetailView } from '../../../core/contract/workflows/dags.ts';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useDag } from '../../api/queries/queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { WorkflowMenu } from '../files/workflow-menu.tsx';
import { RunButton } from '../start/run-button.tsx';
import { TerminalButtons } from '../terminal/terminal-buttons.tsx';
import { WorkflowFacts } from './workflow-facts.tsx';
import { WorkflowViews } from './workflow-views.tsx';
import styles from './workflow.module.css';

/** One workflow: what it does, what has become of it, its text and its history. */
export function WorkflowPage({ fileName }: { readonly fileName: string }) {
  const dag = useDag(fileName);
  useSystemChanges('dags', queryKeys.dag(fileName));
  const may = useMay('dags.updateSpec');
  return (
    <Page
      title={dag.data?.name ?? fileName}
      beside={
        <>
          {dag.data?.group !== undefined && (
            <span className={styles.group} dir="auto">
              {dag.data.group}
            </span>
          )}
          <TagList tags={dag.data?.tags ?? []} />
          {dag.data?.valid === true && <TerminalButtons place={{ fileName }} />}
        </>
      }
      below={dag.data && <WorkflowFacts dag={dag.data} />}
      above={<Breadcrumb trail={[{ label: 'Workflows', href: paths.workflows }]} />}
      actions={
        dag.data && (
          <>
            {may.allowed && (
              <LinkButton href={paths.editor(fileName)} icon={PenLine}>
                Edit
              </LinkButton>
            )}
            <RunButton
              fileName={fileName}
              params={dag.data.workflow?.params ?? []}
              isDisabled={!dag.data.valid}
            />
            <WorkflowMenu fileName={fileName} isValid={dag.data.valid} />
          </>
        )
      }
    >
      <QueryState query={dag} what="This workflow">
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
  if (first !== undefined && first.file !== dag.file)
    return (
      <Notice tone="error">
        <strong>No workflow can run until the base configuration is corrected.</strong>
        {` ${first.file}, line ${first.line}: ${first.message}`}
      </Notice>
    );
  return (
    <Notice tone="error">
      <strong>This workflow cannot run until its file is corrected.</strong>
      {first && ` Line ${first.line}: ${first.message}`}
    </Notice>
  );
}
