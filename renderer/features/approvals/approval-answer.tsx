import { toAppError } from '../../../core/base/errors.ts';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { useAnswerApproval } from '../../api/queries/runs/approval-queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { Notice } from '../../ui/state/notice.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { AnswerForm } from './answer-form.tsx';
import { type Answer, toWire } from './answer.ts';
import { stateOf } from './approval-state.ts';
import styles from './approvals.module.css';

interface ApprovalAnswerProps {
  readonly approval: ApprovalView;
  /** Somebody has come to answer: the first field gets the focus. */
  readonly isAsked?: boolean;
  /** Told before the answer is sent, so that the question stays in sight. */
  readonly onAnswer?: (approval: ApprovalView) => void;
}

/**
 * The answer to a question: the form for whoever may give one, else who may; and how it was answered once it is. A
 * refusal stays in sight when somebody else was first.
 */
export function ApprovalAnswer({ approval, isAsked = false, onAnswer }: ApprovalAnswerProps) {
  const may = useMay('approvals.answer');
  const { mutate, isPending, variables, error, data } = useAnswerApproval();
  // What was answered here is known before the lists say so.
  const shown = stateOf(approval) === 'open' ? (data ?? approval) : approval;
  const submit = (answer: Answer): void => {
    onAnswer?.(approval);
    mutate(
      { id: approval.id, ...toWire(answer) },
      {
        onSuccess: ({ step, name }) => showToast('info', `${step} of ${name} ${answer.decision}.`),
      },
    );
  };
  if (stateOf(shown) !== 'open')
    return (
      <>
        {error !== null && <Notice tone="error">{toAppError(error).message}</Notice>}
        <AnswerFacts approval={shown} />
      </>
    );
  if (!may.allowed)
    return <p className={styles.quiet}>You are not an approver for this step. {may.reason}</p>;
  return (
    <AnswerForm
      approval={approval}
      pending={isPending ? variables.decision : undefined}
      refusal={error}
      isAsked={isAsked}
      onAnswer={submit}
    />
  );
}
