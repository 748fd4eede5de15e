import { FolderOpen } from 'lucide-react';
import { useSystemInfo } from '../../api/queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { NewWorkflowButton } from '../new-workflow/new-workflow-button.tsx';
import styles from './workflows.module.css';

const example = `description: My first workflow
steps:
  - name: greet
    command: echo "Hello from Stepwright"
  - name: count
    command: ls | wc -l
`;

/** The list of a new installation: what to do to see something. */
export function NoWorkflows() {
  const folder = useSystemInfo().data?.dagsDir;
  return (
    <EmptyState icon={FolderOpen} title="No workflows yet">
      <NewWorkflowButton />
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
      <div className={styles.example}>
        <div>
          <span>hello.yaml</span>
          <CopyButton label="Copy the example" text={example} />
        </div>
        <pre>{example}</pre>
      </div>
    </EmptyState>
  );
}
