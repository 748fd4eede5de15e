import { UserCheck } from 'lucide-react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import styles from './approvals.module.css';

/** A workflow that asks for approval. */
export const approvalExample = `steps:
  - name: build
    command: make release
  - name: ask
    type: approval
    config:
      question: Release this build to production?
      inputs: [TICKET]
      required: [TICKET]
    output: ANSWER
  - name: release
    command: ./release.sh "\${ANSWER.inputs.TICKET}"
`;

/** Empty state before the first approval: what an approval step is, with an example to copy. */
export function NoApprovals() {
  return (
    <EmptyState icon={UserCheck} title="No approvals yet">
      <p>
        Add a step of type <code>approval</code> to pause a run until someone approves or rejects it.
      </p>
      <figure className={styles.example}>
        <pre>{approvalExample}</pre>
        <CopyButton label="Copy example" text={approvalExample} />
      </figure>
    </EmptyState>
  );
}
