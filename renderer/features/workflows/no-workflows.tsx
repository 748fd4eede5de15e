import { FolderOpen } from 'lucide-react';
import { Suspense } from 'react';
import { useSystemInfo } from '../../api/queries/operating/system-queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import styles from './workflows.module.css';
import { lazyPart } from '../../loading/lazy-part.ts';

const FirstSamples = lazyPart(async () => (await import('../tour/first-samples.tsx')).FirstSamples);

/** The list of a new installation: what to do to see something. */
export function NoWorkflows() {
  const folder = useSystemInfo().data?.dagsDir;
  return (
    <EmptyState icon={FolderOpen} title="No workflows yet">
      <p>Add one of these samples and see it run, or begin with your own.</p>
      <Suspense fallback={null}>
        <FirstSamples>
          <NewWorkflowButton />
        </FirstSamples>
      </Suspense>
      <p>
        Or drop a workflow, a shell script, a Makefile or a crontab here. A workflow is a YAML file in the
        workflow folder; it appears here as soon as it is saved.
      </p>
      {folder !== undefined && (
        <p className={styles.folder}>
          <code>{folder}</code>
          <CopyButton label="Copy the folder's path" text={folder} />
        </p>
      )}
    </EmptyState>
  );
}
