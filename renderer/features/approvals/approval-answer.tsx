import { toAppError } from '../../../core/base/errors.ts';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { useAnswerApproval } from '../../api/queries/runs/approval-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { Notice } from '../../ui/state/notice.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { AnswerDetails } from './answer-details.tsx';
import { AnswerForm } from './answer-form.tsx';
import { type Answer, toWire } from './answer.ts';
import { stateOf } from './approval-state.ts';
import styles from './approvals.module.css';

interface ApprovalAnswerProps {
  readonly approval: ApprovalView;
  /** The user has come to answer: the first field takes the focus. */
  readonly isAsked?: boolean;
  /** Called before the answer is sent, so that the approval stays visible. */
  readonly onAnswer?: (approval: ApprovalView) => void;
}

/**
 * The form for users who may answer, otherwise who may; after that, the answer. If another user was
 * faster, the error stays visible.
 */
export function ApprovalAnswer({ approval, isAsked = false, onAnswer }: ApprovalAnswerProps) {
  const may = useCan('approvals.answer');
  const { mutate, isPending, variables, error, data } = useAnswerApproval();
  // An answer given here is known before the lists are updated.
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
        <AnswerDetails approval={shown} />
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
