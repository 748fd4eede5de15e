import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { ScrollArea } from '../../ui/layout/scroll-area.tsx';
import styles from './approvals.module.css';

/** The question and its longer details. */
export function ApprovalQuestion({ approval: { question, details } }: { readonly approval: ApprovalView }) {
  return (
    <>
      <p className={styles.question} dir="auto">
        {question}
      </p>
      {details !== undefined && details !== '' && (
        <ScrollArea className={styles.details} dir="auto" aria-label="Details">
          <pre>{details}</pre>
        </ScrollArea>
      )}
    </>
  );
}
