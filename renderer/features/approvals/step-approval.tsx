import type { ApprovalView, RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import type { Step } from '../../../core/model/workflow/step.ts';
import { useApprovalsOfRun } from '../../api/queries/runs/approval-queries.ts';
import { ScrollArea } from '../../ui/layout/scroll-area.tsx';
import { AnswerDetails } from './answer-details.tsx';
import { ApprovalAnswer } from './approval-answer.tsx';
import { ApprovalQuestion } from './approval-text.tsx';
import styles from './approvals.module.css';
import { WaitDetails } from './wait-details.tsx';

interface StepApprovalProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly definition: Step | undefined;
  /** The user has come to answer. */
  readonly isAsked: boolean;
}

/** The approval of a step in a run, with the answer; below, the approvals of earlier attempts. */
export function StepApproval({ run, step, definition, isAsked }: StepApprovalProps) {
  const { approval } = step;
  const earlier = useApprovalsOfRun(run, step.attempts.length > 1).data ?? [];
  if (approval === undefined) return null;
  return (
    <ScrollArea className={styles.body} aria-label={`Approval request of ${step.name}`}>
      <div className={styles.sheet}>
        <ApprovalQuestion approval={approval} />
        <WaitDetails approval={approval} timeoutSec={definition?.timeoutSec} />
        <ApprovalAnswer key={approval.id} approval={approval} isAsked={isAsked} />
        <Earlier
          approvals={earlier.filter(
            (one) => one.step === step.name && one.section === step.section && one.id !== approval.id,
          )}
        />
      </div>
    </ScrollArea>
  );
}

function Earlier({ approvals }: { readonly approvals: readonly ApprovalView[] }) {
  if (approvals.length === 0) return null;
  return (
    <section className={styles.earlier} aria-label="Previous requests">
      <h3>Previous requests</h3>
      {approvals.map((approval) => (
        <div key={approval.id}>
          <p className={styles.quiet}>Attempt {approval.attempt}</p>
          <AnswerDetails approval={approval} />
        </div>
      ))}
    </section>
  );
}
