import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import styles from './approvals.module.css';

/** What a person is asked, and the longer text under it. */
export function ApprovalText({ approval: { question, details } }: { readonly approval: ApprovalView }) {
  return (
    <>
      <p className={styles.question} dir="auto">
        {question}
      </p>
      {details !== undefined && details !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        <pre className={styles.details} dir="auto" tabIndex={0} role="region" aria-label="Details">
          {details}
        </pre>
      )}
    </>
  );
}
