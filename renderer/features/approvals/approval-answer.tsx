import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Decision } from '../../../core/model/approval.ts';
import type { ApprovalView } from '../../../core/contract/run-views.ts';
import { formatActor, isNamedActor } from '../../../core/model/run-event.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { Button } from '../../ui/button.tsx';
import { FieldErrorScope, TextField } from '../../ui/fields.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { FormErrorNotice } from '../../ui/dialog.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useAnswerApproval, type ApprovalState, stateStyles, getState } from '../../api/approval-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Notice } from '../../ui/state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './approvals.module.css';

/** State of an approval as icon and label. */
export function ApprovalStateBadge({ state }: { readonly state: ApprovalState }) {
  const { icon: Icon, word } = stateStyles[state];
  return (
    <span className={styles.mark} data-state={state}>
      <Icon size={14} aria-hidden="true" />
      {word}
    </span>
  );
}

/** A person's answer to an approval. */
interface Answer {
  readonly decision: Decision;
  readonly comment: string;
  /** By input name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Lists the required inputs that are empty. */
const listMissingInputs = (
  required: readonly string[],
  values: Readonly<Record<string, string>>,
): readonly string[] => required.filter((name) => (values[name] ?? '').trim() === '');

/** Builds the request; empty fields are omitted. */
function toWire({ decision, comment, values }: Answer): {
  decision: Decision;
  comment?: string;
  values?: Record<string, string>;
} {
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return {
    decision,
    ...(comment.trim() !== '' && { comment }),
    ...(filled.length > 0 && { values: Object.fromEntries(filled) }),
  };
}

interface AnswerFormProps {
  readonly approval: ApprovalView;
  /** The decision that is being sent. */
  readonly pending: Decision | undefined;
  /** Why the engine rejected the last answer. */
  readonly refusal: unknown;
  /** Whether the first field takes the focus. */
  readonly isAsked: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

/**
 * Fields for the answer, and buttons for both decisions. Enter in a field submits nothing: approving takes a
 * press of the button.
 */
function AnswerForm({ approval, pending, refusal: error, isAsked, onAnswer }: AnswerFormProps) {
  const { inputs, required } = approval;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [comment, setComment] = useState('');
  const [missing, setMissing] = useState<readonly string[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const answer = (decision: Decision): void => {
    const without = decision === 'approved' ? listMissingInputs(required, values) : [];
    setMissing(without);
    const first = inputs.findIndex((name) => without.includes(name));
    if (first === -1) onAnswer({ decision, comment, values });
    else box.current?.querySelectorAll('input')[first]?.focus();
  };
  return (
    <FieldErrorScope error={error}>
      <div ref={box} className={styles.form} role="group" aria-label="Your answer">
        {inputs.map((name, index) => (
          <TextField
            key={name}
            label={name}
            name={`values.${name}`}
            value={values[name] ?? ''}
            onChange={(value) => {
              setValues({ ...values, [name]: value });
              setMissing(missing.filter((one) => one !== name));
            }}
            isRequired={required.includes(name)}
            error={missing.includes(name) ? 'Required' : undefined}
            autoFocus={isAsked && index === 0}
          />
        ))}
        <MultilineField
          label="Comment"
          name="comment"
          text={comment}
          onChange={setComment}
          rows={2}
          isProse
        />
        <FormErrorNotice error={error} />
        <AnswerButtons pending={pending} isAsked={isAsked && inputs.length === 0} onAnswer={answer} />
      </div>
    </FieldErrorScope>
  );
}

interface AnswerButtonsProps extends Pick<AnswerFormProps, 'pending' | 'isAsked'> {
  readonly onAnswer: (decision: Decision) => void;
}

const AnswerButtons = ({ pending, isAsked, onAnswer }: AnswerButtonsProps) => (
  <div className={styles.buttons}>
    <Button
      variant="danger"
      icon={X}
      isPending={pending === 'rejected'}
      isDisabled={pending === 'approved'}
      onPress={() => onAnswer('rejected')}
    >
      Reject
    </Button>
    <Button
      variant="primary"
      icon={Check}
      isPending={pending === 'approved'}
      isDisabled={pending === 'rejected'}
      autoFocus={isAsked}
      onPress={() => onAnswer('approved')}
    >
      Approve
    </Button>
  </div>
);

/** The answer of an approval: user, time, comment and values. */
export function AnswerDetails({ approval }: { readonly approval: ApprovalView }) {
  const { answeredBy, answeredAt, endedAt, comment = '', values = {} } = approval;
  const state = getState(approval);
  const at = answeredAt ?? endedAt;
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return (
    <div className={styles.answer} data-state={state} role="group" aria-label="Answer">
      <p className={styles.answerHead}>
        <ApprovalStateBadge state={state} />
        <span>
          {isNamedActor(answeredBy) ? (
            <>
              by <b dir="auto">{answeredBy}</b>,{' '}
            </>
          ) : (
            answeredBy !== undefined && `${formatActor(answeredBy)}, `
          )}
          {at !== undefined && <RelativeTime iso={at} />}
        </span>
      </p>
      {state === 'ended' && (
        <p className={styles.quiet}>The step ended without an answer (stopped or timed out).</p>
      )}
      {comment !== '' && (
        <blockquote className={styles.comment} dir="auto">
          {comment}
        </blockquote>
      )}
      {filled.length > 0 && (
        <dl className={styles.values}>
          {filled.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

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
  const shown = getState(approval) === 'open' ? (data ?? approval) : approval;
  const submit = (answer: Answer): void => {
    onAnswer?.(approval);
    mutate(
      { id: approval.id, ...toWire(answer) },
      {
        onSuccess: ({ step, name }) => showToast('info', `${step} of ${name} ${answer.decision}.`),
      },
    );
  };
  if (getState(shown) !== 'open')
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
