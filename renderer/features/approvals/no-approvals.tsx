import { UserCheck } from 'lucide-react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import styles from './approvals.module.css';

/** A workflow that asks before it goes on. */
export const exampleOfApproval = `steps:
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

/** Stands where no step has asked anybody yet: what such a step is, and one to copy. */
export function NoApprovals() {
  return (
    <EmptyState icon={UserCheck} title="Nobody has been asked yet">
      <p>
        A step of type <code>approval</code> asks a person and waits. Approved, the run goes on; rejected, the
        step fails. What is asked stands here, on the page of the run and in <code>engine approvals</code>.
      </p>
      <figure className={styles.example}>
        <pre>{exampleOfApproval}</pre>
        <CopyButton label="Copy the example" text={exampleOfApproval} />
      </figure>
    </EmptyState>
  );
}
