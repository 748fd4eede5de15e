import { FolderOpen } from 'lucide-react';
import { Suspense } from 'react';
import { useSystemInfo } from '../../api/queries/operating/system-queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import styles from './workflows.module.css';
import { lazyComponent } from '../../loading/lazy-part.ts';

const SampleWorkflows = lazyComponent(
  async () => (await import('../tour/first-samples.tsx')).SampleWorkflows,
);

/** Empty state of a new installation, with first steps. */
export function NoWorkflows() {
  const folder = useSystemInfo().data?.dagsDir;
  return (
    <EmptyState icon={FolderOpen} title="No workflows yet">
      <p>Run a sample workflow, or create your own.</p>
      <Suspense fallback={null}>
        <SampleWorkflows>
          <NewWorkflowButton />
        </SampleWorkflows>
      </Suspense>
      <p>
        You can also drop a YAML file, shell script, Makefile or crontab here. Workflow files are stored in:
      </p>
      {folder !== undefined && (
        <p className={styles.folder}>
          <code>{folder}</code>
          <CopyButton label="Copy folder path" text={folder} />
        </p>
      )}
    </EmptyState>
  );
}
