import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import type { Decision } from '../../../core/model/run/approval.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FieldErrorScope } from '../../ui/controls/field-error-scope.tsx';
import { MultilineField } from '../../ui/controls/text-box.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormErrorNotice } from '../../ui/overlay/refusal-notice.tsx';
import { type Answer, listMissingInputs } from './answer.ts';
import styles from './approvals.module.css';

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
export function AnswerForm({ approval, pending, refusal: error, isAsked, onAnswer }: AnswerFormProps) {
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
